import Foundation
import SimpleNetworking

/// Stubs the network: responds by method, path and count, and records the requests.
///
/// ```swift
/// let server = StubTransport()
///     .on(.get, "/user", .status(401), times: 1)
///     .on(.get, "/user", .json(#"{"name": "Ada"}"#))
/// let api = SimpleNetworking(host: "api.example.com") { $0.transport = server }
/// ```
///
/// The first rule that matches responds, in the order they were added; used-up rules are skipped. A request without a
/// matching rule fails at once with an `UnscriptedRequest`.
public final class StubTransport: Transport {
    private struct Rule {
        let method: HTTPMethod?
        let path: String
        var remaining: Int?
        let respond: @Sendable (TransportRequest) async throws -> StubResponse

        func matches(_ request: TransportRequest) -> Bool {
            (method == nil || method == request.method) && (path == "*" || path == request.url.path)
        }

        var text: String { "\(method?.rawValue ?? "any method") \(path)" + (remaining == 0 ? " (used up)" : "") }
    }

    private struct State {
        var rules: [Rule] = []
        var requests: [TransportRequest] = []
    }

    private let state = Locked(State())

    /// Makes a transport without rules.
    public init() {}

    /// Responds to requests for a path.
    ///
    /// - Parameters:
    ///   - method: The method. The default is any.
    ///   - path: The path of the URL, decoded; `"*"` for any.
    ///   - response: The response.
    ///   - times: How often the rule responds. The default is nil: always.
    /// - Returns: The transport.
    @discardableResult
    public func on(_ method: HTTPMethod, _ path: String, _ response: StubResponse, times: Int? = nil) -> Self {
        add(Rule(method: method, path: path, remaining: times, respond: { _ in response }))
    }

    /// Responds to requests of any method for a path.
    @discardableResult
    public func on(_ path: String, _ response: StubResponse, times: Int? = nil) -> Self {
        add(Rule(method: nil, path: path, remaining: times, respond: { _ in response }))
    }

    /// Responds to requests for a path with a closure.
    @discardableResult
    public func on(
        _ method: HTTPMethod,
        _ path: String,
        times: Int? = nil,
        _ respond: @escaping @Sendable (TransportRequest) async throws -> StubResponse
    ) -> Self {
        add(Rule(method: method, path: path, remaining: times, respond: respond))
    }

    /// Responds to requests of any method for a path with a closure.
    @discardableResult
    public func on(
        _ path: String,
        times: Int? = nil,
        _ respond: @escaping @Sendable (TransportRequest) async throws -> StubResponse
    ) -> Self {
        add(Rule(method: nil, path: path, remaining: times, respond: respond))
    }

    private func add(_ rule: Rule) -> Self {
        state.withLock { $0.rules.append(rule) }
        return self
    }

    /// All requests, in order.
    public var requests: [TransportRequest] { state.withLock(\.requests) }

    /// Returns the requests for one path, in order.
    public func requests(to path: String) -> [TransportRequest] { requests.filter { $0.url.path == path } }

    /// All requests in short: `["GET /user", "POST /auth"]`.
    public var log: [String] { requests.map { "\($0.method) \($0.url.path)" } }

    /// Responds to a request by the first rule that matches it.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let respond = try state.withLock { state in
            state.requests.append(request)
            let index = state.rules.firstIndex { $0.matches(request) && $0.remaining != 0 }
            guard let index else { throw UnscriptedRequest(request, rules: state.rules.map(\.text)) }
            state.rules[index].remaining = state.rules[index].remaining.map { $0 - 1 }
            return state.rules[index].respond
        }
        return try await respond(request).deliver()
    }
}

/// Reports a request that no rule of a `StubTransport` matches.
package struct UnscriptedRequest: Error, CustomStringConvertible {
    /// The request and the rules.
    package let description: String

    init(_ request: TransportRequest, rules: [String]) {
        let scripted = rules.isEmpty ? "nothing" : rules.joined(separator: "; ")
        description = "no rule matches \(request.head); scripted: \(scripted)"
    }
}
