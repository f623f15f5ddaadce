import Foundation
import SimpleNetworking

/// One rule of a stub: what it matches, and how it responds.
struct StubRule: Sendable {
    typealias Respond = @Sendable (TransportRequest, _ use: Int) async throws -> StubResponse

    let method: HTTPMethod?
    let path: PathPattern
    let conditions: [StubCondition]
    /// How often it responds; nil for always.
    let times: Int?
    let respond: Respond
    /// How often it has responded.
    var uses = 0

    init(
        _ method: HTTPMethod?,
        _ path: String,
        _ conditions: [StubCondition],
        times: Int? = nil,
        respond: @escaping Respond = { _, _ in .status(200) }
    ) {
        self.method = method
        self.path = PathPattern(path)
        self.conditions = conditions
        self.times = times
        self.respond = respond
    }

    var isUsedUp: Bool { times.map { uses >= $0 } ?? false }

    /// Whether it matches anything, and so may stay unused.
    var isFallback: Bool { method == nil && path.isAny && conditions.isEmpty }

    /// Whether it was used as often as it should be; always means at least once.
    var isSatisfied: Bool { isFallback || uses >= times ?? 1 }

    func matches(_ request: TransportRequest) -> Bool {
        (method == nil || method == request.method) && path.matches(request.url)
            && conditions.allSatisfy { $0.isMet(request) }
    }

    /// The rule in a line, such as `GET /users/{id} (used up)`.
    var text: String { name + (isUsedUp ? " (used up)" : "") }

    var name: String {
        ([method?.rawValue ?? "any method", path.text] + conditions.map { "\($0.aspect) \($0.expected)" })
            .joined(separator: " ")
    }

    /// What differs, side by side; an aspect that agrees is shown, too.
    func comparison(with request: TransportRequest) -> [Comparison] {
        var rows = [
            Comparison(
                aspect: "method",
                expected: method?.rawValue ?? "any",
                actual: request.method.rawValue,
                isEqual: method == nil || method == request.method
            ),
            Comparison(
                aspect: "path",
                expected: path.text,
                actual: request.url.path,
                isEqual: path.matches(request.url)
            ),
        ]
        rows += conditions.flatMap { $0.comparison(with: request) }
        if isUsedUp, let times {
            rows.append(Comparison(aspect: "uses", expected: "at most \(times)", actual: "one more", isEqual: false))
        }
        return rows
    }

    /// How much differs: the path counts most, since it names what was meant.
    func distance(to request: TransportRequest) -> Int {
        let conditions = conditions.filter { !$0.isMet(request) }.count
        let method = method == nil || method == request.method ? 0 : 4
        let place = path.matches(request.url) ? 0 : path.distance(to: request.url.path)
        return place * 6 + method + conditions * 2 + (isUsedUp ? 1 : 0)
    }
}

/// One line of a comparison.
struct Comparison {
    let aspect: String
    let expected: String
    let actual: String
    let isEqual: Bool

    /// The lines of a table with a title for each side, indented.
    static func table(_ rows: [Comparison], left: String, right: String, indent: String = "    ") -> [String] {
        let title = Comparison(aspect: "", expected: left, actual: right, isEqual: true)
        let aspects = rows.map(\.aspect.count).max() ?? 0
        let width = ([title] + rows).map(\.expected.count).max() ?? 0
        return ([title] + rows).map { row in
            let line = indent + row.aspect.padded(to: aspects + 2) + row.expected.padded(to: width)
            return line + (row.isEqual ? "   " : " ≠ ") + row.actual
        }
    }
}

extension String {
    /// The text with blanks up to a length.
    func padded(to length: Int) -> String { self + String(repeating: " ", count: max(0, length - count)) }
}

/// A path with wildcards: `/users/*`, `/users/{id}`, `/files/**`, or `*` for any.
struct PathPattern: Sendable {
    let text: String
    private let segments: [String]

    init(_ text: String) {
        self.text = text
        segments = Self.segments(of: text)
    }

    var isAny: Bool { text == "*" }

    /// A pattern with a slash at its end needs one in the URL, too.
    func matches(_ url: URL) -> Bool { matches(url.path) || matches(Self.wholePath(of: url)) }

    /// The path with the slash at its end, which `URL.path` drops.
    static func wholePath(of url: URL) -> String {
        let encoded = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        return encoded.hasSuffix("/") && !url.path.hasSuffix("/") ? url.path + "/" : url.path
    }

    private func matches(_ path: String) -> Bool { isAny || text == path || values(in: path) != nil }

    func values(in url: URL) -> [String: String]? { values(in: url.path) ?? values(in: Self.wholePath(of: url)) }

    /// The segments that stand for the names in braces; nil if the path does not match.
    func values(in path: String) -> [String: String]? {
        let parts = Self.segments(of: path)
        let isOpen = segments.last == "**"
        let fixed = isOpen ? segments.dropLast() : segments[...]
        guard isOpen ? parts.count >= fixed.count : parts.count == fixed.count else { return nil }
        var values: [String: String] = [:]
        for (segment, part) in zip(fixed, parts) {
            if segment.hasPrefix("{"), segment.hasSuffix("}") {
                guard !part.isEmpty else { return nil }
                values[String(segment.dropFirst().dropLast())] = part
            } else if segment != part, segment != "*" || part.isEmpty {
                return nil
            }
        }
        return values
    }

    /// How many segments differ.
    func distance(to path: String) -> Int {
        if matches(path) { return 0 }
        let parts = Self.segments(of: path)
        let shared = zip(segments, parts).filter { segment, part in
            segment == part || segment == "*" || segment.hasPrefix("{")
        }
        return max(segments.count, parts.count) - shared.count
    }

    private static func segments(of path: String) -> [String] {
        // The first is empty: paths begin with a slash.
        path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    }
}
