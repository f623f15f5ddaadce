import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers

@testable import SimpleNetworking
@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// A client that sends a second request for the same caller, because of the response to the first one.
///
/// The first response arrives when the test lets it, so that something may happen meanwhile.
final class SecondRequest: Sendable {
    /// What makes the client send the second request.
    enum Cause: Sendable {
        case retryPolicy, statusHandler, refresh, reauthentication, redirect, middleware, download, stream, eventStream,
            upload, page, hedge, cache
    }

    /// Asks for everything twice.
    private struct Twice: Middleware {
        func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
            let response = try await next(request)
            return request.url.path == "/way" ? try await next(request) : response
        }
    }

    /// Prepares attempts with a value that changes.
    private final class Preparing: SimpleNetworking, @unchecked Sendable {
        let value = Locked("a")

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            attempt.headers["X-Prepared"] = value.withLock { $0 }
        }
    }

    let cause: Cause
    let server = StubTransport()
    let clock = VirtualClock()
    let client: SimpleNetworking
    /// Holds the first response back.
    let first = Gate()
    /// Holds the response to `/held` back.
    let held = Gate()
    /// Whether there is no connection.
    let isOff = Locked(false)
    let bearer = BearerAuthenticator(token: Secret("ada")) { _ in Secret("ada-2") }
    let jar = CookieJar()
    private let folder = ScratchFolder()
    private let seeds: Int

    /// - Parameters:
    ///   - cause: What makes the client send the second request.
    ///   - isSigned: Whether the client has an authenticator even if the cause is another one.
    ///   - isPrepared: Whether a hook prepares attempts.
    ///   - last: The response to the second request; nil for one that suits the cause.
    ///   - configure: Changes the client's settings.
    /// - Throws: An error of the file system.
    init(
        _ cause: Cause,
        isSigned: Bool = false,
        isPrepared: Bool = false,
        last: StubResponse? = nil,
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) async throws {
        self.cause = cause
        var middleware: [any Middleware] = []
        if cause == .middleware { middleware.append(Twice()) }
        if cause == .hedge { middleware.append(Hedging(after: 1, share: 1)) }
        let (bearer, jar, server, clock) = (bearer, jar, server, clock)
        func set(_ configuration: inout SimpleNetworking.Configuration) {
            if isSigned || cause == .refresh { configuration.authenticator = bearer }
            if cause == .cache { configuration.cache = ResponseCache() }
            configuration.cookieJar = jar
            configure(&configuration)
        }
        client =
            isPrepared
            ? Preparing(over: server, through: middleware, clock: clock, set)
            : SimpleNetworking(over: server, through: middleware, clock: clock, set)
        seeds = cause == .cache ? 1 : 0
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data("old".utf8).write(to: file)
        if cause == .cache {
            server.on("/way", .json("[0]", headers: ["Cache-Control": "no-cache", "ETag": #""0""#]), times: 1)
            await client.get("/way").ended()
        }
        server.on("/way", cause.first.after(first), times: 1)
        serve(last)
    }

    private func serve(_ last: StubResponse?) {
        let (held, isOff, cause) = (held, isOff, cause)
        server.on("/held", .json("{}").after(held))
            .on("/limited", .status(429, headers: ["Retry-After": "30"]))
            .on("/broken", .status(500))
            .on("/cookie", .json("{}", headers: ["Set-Cookie": "sid=1; Path=/"]))
            .on("/other", .json("{}"))
            .on("*") { request in
                if isOff.withLock({ $0 }) { throw NetworkFailure(.offline) }
                if request.method == .head { return .state(4) }
                return last ?? cause.last(for: request)
            }
    }

    /// The file of a download.
    var file: URL { folder.url.appendingPathComponent("file") }

    /// The requests of the caller that were sent.
    var sent: [TransportRequest] { Array(server.requests.filter { $0.url.path.hasPrefix("/way") }.dropFirst(seeds)) }

    /// How many requests are sent for the caller, if nothing goes wrong.
    var expected: Int { cause == .upload ? 3 : 2 }

    // MARK: Steps

    /// Executes the request, and waits until its first request is on the wire.
    func start(
        _ method: HTTPMethod = .get,
        _ change: (SimpleRequest) -> Void = { _ in }
    ) async -> Caller {
        let request = cause.request(cause == .upload ? .post : method, on: client, to: file)
        change(request)
        let caller = Caller(request, of: cause, on: client)
        await first.arrivals(1)
        return caller
    }

    /// Lets the first response arrive, or the time pass that makes a hedge due.
    func answer() async throws {
        if cause == .hedge { return try await clock.advance(to: .hedge) }
        first.open()
    }

    /// Lets the second request be sent, if it only waits for an event stream's delay, and the caller's response arrive.
    func proceed() async throws {
        if cause == .eventStream { try await clock.advance(to: .retry) }
        guard cause == .hedge else { return }
        try await eventually { self.sent.count == 2 }
        first.open()
    }

    /// Changes the value with which a hook prepares attempts.
    func prepare(with value: String) { _ = (client as? Preparing)?.value.exchange(value) }

    /// Lets requests be sent that must not be.
    func settle() async {
        let other = SimpleNetworking(over: server)
        for _ in 0..<3 {
            await other.get("/other").ended()
            for _ in 0..<100 { await Task.yield() }
        }
    }

    // MARK: The caller

    /// Executes a request, and waits for its end.
    final class Caller: Sendable {
        let request: SimpleRequest
        /// What its handlers heard.
        let heard = Recorder<String>()
        private let task: Task<SimpleNetworkingError?, Never>

        fileprivate init(_ request: SimpleRequest, of cause: Cause, on client: SimpleNetworking) {
            self.request = request
            let heard = heard
            request.on(success: { (_: SimpleResponse) in heard.add("success") })
                .on(error: { _ in heard.add("error") })
                .on(completion: { _ in heard.add("completion") })
            switch cause {
            case .stream:
                task = Task { await Self.error { for try await _ in client.bytes(for: request) {} } }
            case .eventStream:
                task = Task { await Self.error { for try await _ in client.events(for: request, reconnects: true) {} } }
            default:
                request.execute(on: client)
                task = Task { await request.ended().error }
            }
        }

        private static func error(of work: () async throws -> Void) async -> SimpleNetworkingError? {
            do {
                try await work()
                return nil
            } catch {
                return error is CancellationError ? .cancelled(nil) : error as? SimpleNetworkingError ?? .failed(error)
            }
        }

        /// Cancels the task in which a stream is read.
        func stop() { task.cancel() }

        /// Waits for the end, and returns the error.
        func ended() async -> SimpleNetworkingError? { await task.value }
    }
}
