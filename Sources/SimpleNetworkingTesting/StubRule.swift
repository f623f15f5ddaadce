import Foundation
import SimpleNetworkingCore

/// One rule of a stub: what it matches, and how it responds.
struct StubRule: Sendable {
    typealias Respond = @Sendable (TransportRequest, _ use: Int) async throws -> StubResponse

    let method: HTTPMethod?
    let place: TargetPattern
    let conditions: [StubCondition]
    /// The number of times that the rule responds; nil for any number.
    let times: StubCount?
    /// The line that added the rule; nil for an expectation of a test.
    let source: SourcePlace?
    let respond: Respond
    /// The number of times that the rule has responded.
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

    /// Whether it matches any request, and so may stay unused.
    private var isFallback: Bool { method == nil && place.isAny && conditions.isEmpty && times == nil }

    /// Whether it was used as often as required; without `times`, at least once.
    var isSatisfied: Bool { isFallback || uses >= times?.least ?? 1 }

    func matches(_ request: TransportRequest, at place: RequestTarget) -> Bool {
        matches(request.method, at: place) && conditions.allSatisfy { $0.isMet(request) }
    }

    func matches(_ method: HTTPMethod, at place: RequestTarget) -> Bool {
        (self.method == nil || self.method == method) && self.place.matches(place)
    }

    /// The rule in one line, such as `GET /users/{id} (used up)`.
    var text: String { name + (isUsedUp ? " (used up)" : "") }

    var name: String {
        ([method?.rawValue ?? "any method", place.text] + conditions.map { "\($0.aspect) \($0.expected)" })
            .joined(separator: " ")
    }

    /// Compares the rule with a request, aspect by aspect, including aspects that agree.
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

    /// Returns how much a request differs: the path weighs most, then the host, the method and the conditions.
    func distance(to request: TransportRequest) -> Double {
        let actual = RequestTarget(request.url)
        let path = Double(place.path.distance(to: actual)) * 12
        let host: Double = place.matchesHost(of: actual) ? 0 : 8
        let method: Double = method == nil || method == request.method ? 0 : 4
        return path + host + method + conditionDistance(to: request) + (isUsedUp ? 0.75 : 0)
    }

    /// Returns 0 if all conditions are met, 1 if there are none, and up to 3 if none agrees in any part.
    private func conditionDistance(to request: TransportRequest) -> Double {
        guard !conditions.isEmpty else { return 1 }
        let differences = conditions.map { $0.difference(from: request) }
        return 3 * differences.reduce(0, +) / Double(conditions.count)
    }
}
