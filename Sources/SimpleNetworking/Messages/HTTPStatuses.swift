/// Names a set of status codes: a class, a list, or a range.
public struct HTTPStatuses: Sendable, Hashable, ExpressibleByArrayLiteral {
    private var ranges: [ClosedRange<Int>]

    /// Makes a set from a range, such as `200...299`.
    public init(_ range: ClosedRange<Int>) { ranges = [range] }

    /// Makes a set from any codes: a list, a set, a range.
    public init(_ codes: some Sequence<Int>) {
        if let range = codes as? ClosedRange<Int> {
            ranges = [range]
        } else if let range = codes as? Range<Int> {
            ranges = range.isEmpty ? [] : [ClosedRange(range)]
        } else {
            ranges = codes.map { $0...$0 }
        }
    }

    /// Makes a set from a literal, such as `[200, 304]`.
    public init(arrayLiteral codes: Int...) { self.init(codes) }

    /// 200...299.
    public static let successful = HTTPStatuses(200...299)
    /// 300...399.
    public static let redirection = HTTPStatuses(300...399)
    /// 400...499.
    public static let clientError = HTTPStatuses(400...499)
    /// 500...599.
    public static let serverError = HTTPStatuses(500...599)

    /// Tells whether a code belongs to the set.
    public func contains(_ code: Int) -> Bool { ranges.contains { $0.contains(code) } }

    /// Gives the codes of both sets.
    public func union(_ other: HTTPStatuses) -> HTTPStatuses {
        var union = self
        union.ranges += other.ranges
        return union
    }

    /// The one code of the set, if there is just one.
    var single: Int? {
        guard ranges.count == 1, let range = ranges.first, range.count == 1 else { return nil }
        return range.lowerBound
    }
}

extension HTTPStatuses: CustomStringConvertible {
    /// The codes, such as `401` or `500...599`.
    public var description: String {
        ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0)" }.joined(separator: ", ")
    }
}
