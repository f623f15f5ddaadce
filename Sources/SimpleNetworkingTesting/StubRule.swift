import Foundation
import SimpleNetworking

/// One rule of a stub: what it matches, and how it responds.
struct StubRule: Sendable {
    typealias Respond = @Sendable (TransportRequest, _ use: Int) async throws -> StubResponse

    let method: HTTPMethod?
    let place: TargetPattern
    let conditions: [StubCondition]
    /// How often it responds; nil for always.
    let times: StubCount?
    /// The line that added it; nil for what a test expects.
    let source: SourcePlace?
    let respond: Respond
    /// How often it has responded.
    var uses = 0

    init(
        _ method: HTTPMethod?,
        _ place: TargetPattern,
        _ conditions: [StubCondition],
        times: StubCount? = nil,
        source: SourcePlace? = nil,
        respond: @escaping Respond = { _, _ in .status(200) }
    ) {
        self.method = method
        self.place = place
        self.conditions = conditions
        self.times = times
        self.source = source
        self.respond = respond
    }

    var isUsedUp: Bool { times?.isExceeded(by: uses + 1) ?? false }

    /// Whether it matches anything, and so may stay unused.
    private var isFallback: Bool { method == nil && place.isAny && conditions.isEmpty && times == nil }

    /// Whether it was used as often as it should be; always means at least once.
    var isSatisfied: Bool { isFallback || uses >= times?.least ?? 1 }

    func matches(_ request: TransportRequest, at place: RequestTarget) -> Bool {
        matches(request.method, at: place) && conditions.allSatisfy { $0.isMet(request) }
    }

    func matches(_ method: HTTPMethod, at place: RequestTarget) -> Bool {
        (self.method == nil || self.method == method) && self.place.matches(place)
    }

    /// The rule in a line, such as `GET /users/{id} (used up)`.
    var text: String { name + (isUsedUp ? " (used up)" : "") }

    var name: String {
        ([method?.rawValue ?? "any method", place.text] + conditions.map { "\($0.aspect) \($0.expected)" })
            .joined(separator: " ")
    }

    /// What differs, side by side; an aspect that agrees is shown, too.
    func comparison(with request: TransportRequest) -> [Comparison] {
        let actual = RequestTarget(request.url)
        var rows = [
            Comparison(
                aspect: "method",
                expected: method?.rawValue ?? "any",
                actual: request.method.rawValue,
                isEqual: method == nil || method == request.method
            )
        ]
        if let host = place.hostComparison(with: actual) { rows.append(host) }
        rows.append(
            Comparison(
                aspect: "path",
                expected: place.path.text,
                actual: actual.path,
                isEqual: place.path.matches(actual)
            )
        )
        rows += conditions.flatMap { $0.comparison(with: request) }
        if isUsedUp, let times {
            let most = times.most ?? 0
            rows.append(Comparison(aspect: "uses", expected: "at most \(most)", actual: "one more", isEqual: false))
        }
        return rows
    }

    /// How much differs: first the path, which names what was meant, then the host, the method, and the conditions.
    func distance(to request: TransportRequest) -> Double {
        let actual = RequestTarget(request.url)
        let path = Double(place.path.distance(to: actual)) * 12
        let host: Double = place.matchesHost(of: actual) ? 0 : 8
        let method: Double = method == nil || method == request.method ? 0 : 4
        return path + host + method + conditionDistance(to: request) + (isUsedUp ? 0.75 : 0)
    }

    /// From 0, where all conditions are met, over 1 for no condition to 3, where nothing of them agrees.
    private func conditionDistance(to request: TransportRequest) -> Double {
        guard !conditions.isEmpty else { return 1 }
        let differences = conditions.map { $0.difference(from: request) }
        return 3 * differences.reduce(0, +) / Double(conditions.count)
    }
}
