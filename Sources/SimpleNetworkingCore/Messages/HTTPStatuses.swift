import SimpleNetworkingSupport

/// Holds a set of status codes, such as `[200, 304]` or the client error statuses.
public struct HTTPStatuses: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// The ranges, sorted and merged, so that equal sets have equal ranges.
    private let ranges: [ClosedRange<Int>]

    private init(ranges: [ClosedRange<Int>]) { self.ranges = ranges.merged }

    init(_ range: ClosedRange<Int>) { ranges = [range] }

    /// Creates a set from any sequence of codes: an array, a set, or a range such as `200...299` or `400...`.
    public init(_ codes: some Sequence<Int>) {
        switch codes {
        case let range as ClosedRange<Int>: self.init(range)
        case let range as PartialRangeFrom<Int>: self.init(range.lowerBound...max(range.lowerBound, 999))
        case let range as Range<Int>: self.init(ranges: range.isEmpty ? [] : [ClosedRange(range)])
        default: self.init(ranges: codes.map { $0...$0 })
        }
    }

    /// Creates a set from a literal, such as `[200, 304]`.
    public init(arrayLiteral codes: Int...) { self.init(codes) }

    /// The successful statuses, 200...299.
    public static let successful = HTTPStatuses(200...299)
    /// The client error statuses, 400...499.
    public static let clientError = HTTPStatuses(400...499)
    /// The server error statuses, 500...599.
    public static let serverError = HTTPStatuses(500...599)

    /// Returns whether a code belongs to the set.
    public func contains(_ code: Int) -> Bool { ranges.contains { $0.contains(code) } }

    /// Returns a set with the codes of both sets.
    func union(_ other: HTTPStatuses) -> HTTPStatuses { HTTPStatuses(ranges: ranges + other.ranges) }

    /// Returns a set with the codes that are in both sets.
    func intersection(_ other: HTTPStatuses) -> HTTPStatuses {
        HTTPStatuses(
            ranges: ranges.flatMap { range in
                other.ranges.filter { $0.overlaps(range) }.map { $0.clamped(to: range) }
            }
        )
    }

    /// The only code of the set; nil if the set has several codes or none.
    var single: Int? {
        guard ranges.count == 1, let range = ranges.first, range.lowerBound == range.upperBound else { return nil }
        return range.lowerBound
    }
}

extension HTTPStatuses: Described {
    /// The codes, such as `401`, `201, 202` or `500...599`.
    package var shownText: String {
        ranges.map { range in
            switch range.upperBound.subtractingSaturated(range.lowerBound) {
            case 0: "\(range.lowerBound)"
            case 1: "\(range.lowerBound), \(range.upperBound)"
            default: "\(range)"
            }
        }.joined(separator: ", ")
    }
}
