/// Converts seconds for interfaces that take whole numbers and may trap on others.
extension TimeInterval {
    package var wholeMilliseconds: Int64 { Int64(saturating: (self * 1000).rounded()) }

    /// The number of nanoseconds, rounded up; zero for NaN.
    package var wholeNanoseconds: Int64 {
        guard self > 0 else { return 0 }
        return Int64(exactly: (self * 1e9).rounded(.up)) ?? .max
    }

    /// The number of milliseconds, rounded up; never zero, because zero selects libcurl's default.
    package var timeoutMilliseconds: Int { self > 0 ? Int(Swift.min((self * 1e3).rounded(.up), 1e9)) : 1 }

    /// The number of seconds, rounded up.
    ///
    /// FoundationNetworking truncates fractions, treats less than a second as no limit, and traps on infinity.
    package var wholeSeconds: TimeInterval { isNaN ? 3_600 : Swift.min(Swift.max(rounded(.up), 1), 1e8) }

    /// A time that FoundationNetworking accepts, which traps on times beyond an integer's range.
    package var clampedSeconds: TimeInterval { isNaN ? 60 : Swift.min(Swift.max(self, 1), 1e8) }
}
