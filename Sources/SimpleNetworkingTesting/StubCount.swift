/// How often a rule responds, or how many requests are expected, such as `2`, `.atLeast(1)` or `.atMost(3)`.
public struct StubCount: Sendable, ExpressibleByIntegerLiteral {
    let least: Int
    /// The maximum; nil for any number.
    let most: Int?

    private init(least: Int, most: Int?) {
        self.least = least
        self.most = most
    }

    /// Creates a count that requires exactly this number.
    public init(integerLiteral count: Int) { self = .exactly(count) }

    /// Requires exactly this number.
    public static func exactly(_ count: Int) -> StubCount { StubCount(least: count, most: count) }

    /// Requires this number or more.
    ///
    /// A rule with `.atLeast(0)` may stay unused.
    public static func atLeast(_ count: Int) -> StubCount { StubCount(least: count, most: nil) }

    /// Allows this number or fewer.
    public static func atMost(_ count: Int) -> StubCount { StubCount(least: 0, most: count) }

    func allows(_ count: Int) -> Bool { count >= least && !isExceeded(by: count) }

    func isExceeded(by count: Int) -> Bool { most.map { count > $0 } ?? false }

    /// The number in words, such as `at least 2`.
    var text: String {
        guard let most else { return "at least \(least)" }
        return least == most ? "\(most)" : "at most \(most)"
    }
}
