import Foundation
import SimpleNetworking

/// Stubs the network: responds by rules for method, path, query, fields and body, and records the requests.
///
/// ```swift
/// let server = StubTransport()
///     .on(.get, "/users/{id}", .replies(.status(401), .json(#"{"name": "Ada"}"#)))
///     .on(.post, "/users", where: [.json(#"{"name": "Bob"}"#)], .status(201))
/// let api = SimpleNetworking(host: "api.example.com") { $0.transport = server }
/// ```
///
/// The first rule that matches responds, in the order they were added; used-up rules are skipped. A request without a
/// matching rule fails at once with an error that names the nearest rule and what differs.
///
/// In a path, `*` and `{name}` stand for one segment, `**` at the end for any number, and `"*"` alone for any path.
public final class StubTransport: Transport {
    struct State {
        var rules: [StubRule] = []
        var requests: [TransportRequest] = []
        /// The requests that no rule matched.
        var unmatched: [TransportRequest] = []
        /// What responses wait for, in order.
        var waits: [Int: String] = [:]
        var lastWait = 0
    }

    let state = Locked(State())
    let clock: any RequestClock

    /// Makes a transport without rules.
    ///
    /// - Parameter clock: The clock that delays of responses wait for: in tests, the `VirtualClock` of the client. The
    ///   default is the system's, with which delays take their time.
    public init(clock: any RequestClock = SystemClock()) { self.clock = clock }

    /// Responds to requests for a path.
    ///
    /// - Parameters:
    ///   - method: The method. The default is any.
    ///   - path: The path of the URL, decoded; it may have wildcards.
    ///   - conditions: What else a request needs. The default is nothing.
    ///   - response: The response.
    ///   - times: How often the rule responds. The default is nil: always, or each response of `.replies` once.
    /// - Returns: The transport.
    @discardableResult
    public func on(
        _ method: HTTPMethod,
        _ path: String,
        where conditions: [StubCondition] = [],
        _ response: StubResponse,
        times: Int? = nil
    ) -> Self {
        add(method, path, conditions, response, times)
    }

    /// Responds to requests of any method for a path.
    @discardableResult
    public func on(
        _ path: String,
        where conditions: [StubCondition] = [],
        _ response: StubResponse,
        times: Int? = nil
    ) -> Self {
        add(nil, path, conditions, response, times)
    }

    /// Responds to requests for a path with a closure.
    @discardableResult
    public func on(
        _ method: HTTPMethod,
        _ path: String,
        where conditions: [StubCondition] = [],
        times: Int? = nil,
        _ respond: @escaping @Sendable (TransportRequest) async throws -> StubResponse
    ) -> Self {
        add(StubRule(method, path, conditions, times: times) { request, _ in try await respond(request) })
    }

    /// Responds to requests of any method for a path with a closure.
    @discardableResult
    public func on(
        _ path: String,
        where conditions: [StubCondition] = [],
        times: Int? = nil,
        _ respond: @escaping @Sendable (TransportRequest) async throws -> StubResponse
    ) -> Self {
        add(StubRule(nil, path, conditions, times: times) { request, _ in try await respond(request) })
    }

    private func add(
        _ method: HTTPMethod?,
        _ path: String,
        _ conditions: [StubCondition],
        _ response: StubResponse,
        _ times: Int?
    ) -> Self {
        let sequence = response.sequence
        guard !sequence.isEmpty else {
            return add(StubRule(method, path, conditions, times: times) { _, _ in response })
        }
        let count = sequence.count
        return add(StubRule(method, path, conditions, times: times ?? count) { _, use in sequence[use % count] })
    }

    private func add(_ rule: StubRule) -> Self {
        state.withLock { $0.rules.append(rule) }
        return self
    }

    /// All requests, in order.
    public var requests: [TransportRequest] { state.withLock(\.requests) }

    /// Returns the requests for one path, which may have wildcards, in order.
    public func requests(to path: String) -> [TransportRequest] {
        let pattern = PathPattern(path)
        return requests.filter { pattern.matches($0.url) }
    }

    /// All requests in short: `["GET /user", "POST /auth"]`.
    public var log: [String] { requests.map { "\($0.method) \($0.url.path)" } }

    /// What responses wait for now, in the order in which they began to: `["GET /user waits for a gate"]`.
    public var waits: [String] {
        state.withLock { state in state.waits.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Responds to a request by the first rule that matches it.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let player = try await player(for: request)
        return try await StubDelivery(request: request, player: player).run()
    }

    /// Finds the rule for a request, and counts its use.
    ///
    /// Conditions run without the lock: they may look at `requests`.
    private func claimRule(for request: TransportRequest) throws -> (rule: StubRule, use: Int) {
        while true {
            let rules = state.withLock(\.rules)
            guard let index = rules.firstIndex(where: { !$0.isUsedUp && $0.matches(request) }) else {
                state.withLock { $0.unmatched.append(request) }
                throw UnscriptedRequest(request, rules: rules)
            }
            let use: Int? = state.withLock { state in
                // Another request may have had its last use meanwhile.
                guard !state.rules[index].isUsedUp else { return nil }
                defer { state.rules[index].uses += 1 }
                return state.rules[index].uses
            }
            if let use { return (rules[index], use) }
        }
    }

    /// Finds the response to a request, and counts the use of its rule.
    func player(for request: TransportRequest) async throws -> StubPlayer {
        let request = try await request.collectingChunks()
        state.withLock { $0.requests.append(request) }
        let (rule, use) = try claimRule(for: request)
        let response = try await rule.respond(request, use)
        guard response.sequence.isEmpty else { throw MisplacedSequence(rule: rule.text) }
        let name = "\(request.method) \(request.url.path)"
        return StubPlayer(response: response, clock: clock) { [state] reason in
            let id = state.withLock { state in
                state.lastWait += 1
                state.waits[state.lastWait] = "\(name) \(reason)"
                return state.lastWait
            }
            return { state.withLock { $0.waits[id] = nil } }
        }
    }
}

extension StubResponse {
    /// Responds with the first to the first request of a rule, with the second to the second, and so on.
    ///
    /// Afterwards the rule is used up, unless it has `times`, which starts over.
    public static func replies(_ responses: StubResponse...) -> StubResponse {
        var response = StubResponse()
        response.sequence = responses
        return response
    }
}

/// Reports a closure that returned `.replies`, which only a rule can count.
struct MisplacedSequence: Error, CustomStringConvertible {
    let rule: String

    var description: String {
        "the closure of the rule \(rule) returned .replies(…), but only a rule counts its requests: "
            + "pass .replies(…) to on(…) in place of the closure, or return one response"
    }
}
