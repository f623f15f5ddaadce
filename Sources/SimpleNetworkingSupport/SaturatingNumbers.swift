/// Arithmetic on numbers from outside: it stops at the ends of the range, and never traps.
extension FixedWidthInteger {
    /// Takes the whole part of a number, or the nearer end of the range; NaN becomes 0.
    @inlinable
    package init(saturating number: Double) {
        self = number.isNaN ? 0 : Self(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }

    @inlinable
    package func addingSaturated(_ other: Self) -> Self {
        let (sum, isBeyond) = addingReportingOverflow(other)
        return isBeyond ? (other < 0 ? .min : .max) : sum
    }

    @inlinable
    package func subtractingSaturated(_ other: Self) -> Self {
        let (difference, isBeyond) = subtractingReportingOverflow(other)
        return isBeyond ? (other < 0 ? .max : .min) : difference
    }
}
