import Foundation
import SimpleNetworking

/// Stands in for the network: answers by method, path and count, and remembers what was asked.
///
/// ```swift
/// let server = StubTransport()
///     .on(.get, "/user", .status(401), times: 1)
///     .on(.get, "/user", .json(#"{"name": "Ada"}"#))
/// let api = SimpleNetworking(host: "api.example.com") { $0.transport = server }
/// ```
///
/// Rules are tried in the order in which they were added; one that has answered its number of times is passed over. A
/// request that no rule answers fails at once with an `UnscriptedRequest`.
public final class StubTransport: Transport {
    private struct Rule {
        let method: HTTPMethod?
        let path: String
        var remaining: Int?
        let answer: @Sendable (TransportRequest) async throws -> StubResponse

        func matches(_ request: TransportRequest) -> Bool {
            (method == nil || method == request.method) && (path == "*" || path == request.url.path)
        }

        var text: String { "\(method?.rawValue ?? "any method") \(path)" + (remaining == 0 ? " (used up)" : "") }
    }

    private struct State {
        var rules: [Rule] = []
        var requests: [TransportRequest] = []
    }

    private let state = Protected(State())

    /// Makes a server without any rule.
    public init() {}

    /// Answers requests for a path.
    ///
    /// - Parameters:
    ///   - method: The method. The default is any.
    ///   - path: The path of the address, decoded, without the query; `"*"` for any.
    ///   - response: The answer.
    ///   - times: How often the rule answers. The default is nil: always.
    /// - Returns: The transport.
    @discardableResult
    public func on(_ method: HTTPMethod, _ path: String, _ response: StubResponse, times: Int? = nil) -> Self {
        add(Rule(method: method, path: path, remaining: times, answer: { _ in response }))
    }

    /// Answers requests of any method for a path.
    @discardableResult
    public func on(_ path: String, _ response: StubResponse, times: Int? = nil) -> Self {
        add(Rule(method: nil, path: path, remaining: times, answer: { _ in response }))
    }

    /// Answers requests for a path with what a closure makes of them.
    @discardableResult
    public func on(
        _ method: HTTPMethod,
        _ path: String,
        times: Int? = nil,
        _ answer: @escaping @Sendable (TransportRequest) async throws -> StubResponse
    ) -> Self {
        add(Rule(method: method, path: path, remaining: times, answer: answer))
    }

    /// Answers requests of any method for a path with what a closure makes of them.
    @discardableResult
    public func on(
        _ path: String,
        times: Int? = nil,
        _ answer: @escaping @Sendable (TransportRequest) async throws -> StubResponse
    ) -> Self {
        add(Rule(method: nil, path: path, remaining: times, answer: answer))
    }

    private func add(_ rule: Rule) -> Self {
        state.withLock { $0.rules.append(rule) }
        return self
    }

    /// What was asked, in order.
    public var requests: [TransportRequest] { state.withLock(\.requests) }

    /// What was asked for one path, in order.
    public func requests(to path: String) -> [TransportRequest] { requests.filter { $0.url.path == path } }

    /// What was asked, in short: `["GET /user", "POST /auth"]`.
    public var log: [String] { requests.map { "\($0.method) \($0.url.path)" } }

    /// Answers a request by the first rule that matches it.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let answer = try state.withLock { state in
            state.requests.append(request)
            let index = state.rules.firstIndex { $0.matches(request) && $0.remaining != 0 }
            guard let index else { throw UnscriptedRequest(request, rules: state.rules.map(\.text)) }
            state.rules[index].remaining = state.rules[index].remaining.map { $0 - 1 }
            return state.rules[index].answer
        }
        return try await answer(request).deliver()
    }
}
