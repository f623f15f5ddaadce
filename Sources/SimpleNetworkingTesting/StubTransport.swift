import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// Stubs the network with rules that match method, path, query, fields and body, and records the requests.
///
/// ```swift
/// let server = StubTransport()
///     .on(.get, "/users/{id}", .replies(.status(401), .json(#"{"name": "Ada"}"#)))
///     .on(.post, "/users", where: [.json(#"{"name": "Bob"}"#)], .status(201))
/// let api = SimpleNetworking(host: "api.example.com") { $0.transport = server }
/// ```
///
/// Rules are matched in the order in which they were added, and the first matching rule responds. Rules that are used
/// up are skipped. A request without a matching rule fails at once with an error that names the nearest rule and the
/// differences.
///
/// In a path, `*` and `{name}` match one segment, `**` at the end matches any number of segments, and `"*"` alone
/// matches any path. A rule with a host, such as `on("https://auth.example.com/token", …)`, matches only that host;
/// `"//auth.example.com"` matches all of the host's paths.
public final class StubTransport: Transport {
    struct State {
        var rules: [StubRule] = []
        var record = RequestRecord()
        /// The requests that no rule matched.
        var unmatched: [TransportRequest] = []
        /// The events that responses wait for, in order.
        var waits: [Int: String] = [:]
        var lastWait = 0
        /// The clock of the client whose request came last.
        var clientClock: (any RequestClock)?
        /// Whether the test has verified the stub.
        var isVerified = false
    }

    let state = Locked(State())
    /// The line that created the stub; nil if no line of a test did.
    let source: SourcePlace?
    let host: String?
    private let ownClock: (any RequestClock)?

    /// Creates a transport without rules.
    ///
    /// - Parameters:
    ///   - host: The host for rules that specify only a path, with a port if necessary, such as `api.example.com`. If
    ///     nil (the default), such rules match any host.
    ///   - clock: The clock for the delays of responses. If nil (the default), responses use the clock of the client
    ///     that makes the request, or the system clock for requests over a socket.
    ///   - fileID: The file that failures without a rule are attributed to. The default is the caller's file.
    ///   - filePath: The full path of that file. The default is the path of the caller's file.
    ///   - line: The line that a failure is attributed to. The default is the line of the call.
    ///   - column: The column that a failure is attributed to. The default is the column of the call.
    public convenience init(
        host: String? = nil,
        clock: (any RequestClock)? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        self.init(host: host, clock: clock, at: SourcePlace(fileID, filePath, line, column))
        StubScope.current?.add(self)
    }

    /// Creates a transport that does not belong to a test yet.
    init(host: String? = nil, clock: (any RequestClock)? = nil, at source: SourcePlace? = nil) {
        self.host = host
        self.source = source
        ownClock = clock
    }

    /// Whether the test has called `verify()` and added neither a rule nor a request since.
    var isVerified: Bool { state.withLock(\.isVerified) }

    /// The clock for its delays, if known.
    var clock: (any RequestClock)? { ownClock ?? state.withLock(\.clientClock) }

    /// Returns the pattern for a text, with the stub's host if the text is only a path.
    func pattern(_ text: String) -> TargetPattern { TargetPattern(text, host: host) }

    /// All received requests, in order.
    public var requests: [TransportRequest] { state.withLock(\.record.requests) }

    /// Returns the received requests for one path, which may contain wildcards, in order.
    public func requests(to path: String) -> [TransportRequest] {
        let rule = StubRule(nil, pattern(path), [])
        return state.withLock { $0.record.requests(for: rule) }
    }

    /// All received requests in short form, such as `["GET /user", "POST /auth"]`.
    ///
    /// Queries are omitted. To check them, use `requests` and `TransportRequest.query`.
    public var log: [String] { requests.map { "\($0.method) \(RequestTarget($0.url).path)" } }

    /// The events that responses currently wait for, oldest first, such as `["GET /user waits for a gate"]`.
    public var waits: [String] {
        state.withLock { state in state.waits.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Responds to the given request with the first rule that matches it.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let player = try await player(for: request)
        return try await StubDelivery(request: request, player: player).run()
    }

    /// Finds the rule for a request, and counts its use.
    ///
    /// Conditions run without the lock, because they may read `requests`.
    private func claimRule(
        for request: TransportRequest,
        at place: RequestTarget
    ) throws -> (rule: StubRule, use: Int) {
        while true {
            let rules = state.withLock(\.rules)
            guard let index = rules.firstIndex(where: { !$0.isUsedUp && $0.matches(request, at: place) }) else {
                state.withLock { $0.unmatched.append(request) }
                throw UnscriptedRequest(request, rules: rules)
            }
            let use: Int? = state.withLock { state in
                // Another request may have used it up in the meantime.
                guard !state.rules[index].isUsedUp else { return nil }
                defer { state.rules[index].uses += 1 }
                return state.rules[index].uses
            }
            if let use { return (rules[index], use) }
        }
    }

    /// Returns the response to a request, and counts the use of its rule.
    func player(for request: TransportRequest) async throws -> StubPlayer {
        let request = try await request.collectingChunks()
        let place = RequestTarget(request.url)
        state.withLock { state in
            state.record.append(request, to: place)
            state.isVerified = false
            state.clientClock = request.clock ?? state.clientClock
        }
        let (rule, use) = try claimRule(for: request, at: place)
        let response = try await rule.respond(request, use)
        guard response.sequence.isEmpty else { throw MisplacedSequence(rule: rule.text) }
        let name = "\(request.method) \(place.path)"
        let clock = ownClock ?? request.clock ?? SystemClock()
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
    /// Responds to a rule's first request with the first response, to the second with the second, and so on.
    ///
    /// After the last response, the rule is used up. If the rule has `times`, the sequence starts over instead.
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
