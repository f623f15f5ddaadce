/// Performs arithmetic on external numbers, which is clamped to the range and never traps.
extension FixedWidthInteger {
    /// Creates the whole part of a number, clamped to the range; NaN becomes 0.
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

extension [ClosedRange<Int>] {
    /// The same numbers in sorted, nonadjacent ranges.
    package var merged: [ClosedRange<Int>] {
        var merged: [ClosedRange<Int>] = []
        for range in ordered(by: \.lowerBound) {
            if let last = merged.last, range.lowerBound.subtractingSaturated(1) <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound...Swift.max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}
