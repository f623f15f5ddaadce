import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// The order in which a client's hooks are called, the same for all kinds of requests.
@Suite(.timeLimit(.minutes(5)))
struct HookOrderTests {
    struct User: Codable, Sendable { var name: String }

    /// A way to send the same request.
    enum Face: CaseIterable {
        case handlers, awaitedHandlers, typed, typedHandlers, void, data

        /// The hooks that it does not call: a handler request's content is encoded at once, bytes are never decoded.
        var unused: Set<String> {
            switch self {
            case .handlers, .awaitedHandlers: ["encoder"]
            case .typed, .typedHandlers: []
            case .void, .data: ["decoder"]
            }
        }
    }

    /// An attempt that the policy repeats, one that `shouldRetry` repeats, one that a handler repeats, and a good one.
    private static let order = [
        "execute", "url", "encoder",
        "prepare", "outer →", "inner →", "send", "← inner", "← outer", "validate 503",
        "prepare", "outer →", "inner →", "send", "← inner", "← outer", "validate 503", "shouldRetry 503 2",
        "prepare", "outer →", "inner →", "send", "← inner", "← outer", "validate 409", "shouldRetry 409 3",
        "handler 409",
        "execute", "url", "encoder",
        "prepare", "outer →", "inner →", "send", "← inner", "← outer", "validate 200",
        "decoder",
    ]

    @Test(arguments: Face.allCases)
    func hooksAreCalledInOneOrder(face: Face) async throws {
        let calls = Recorder<String>()
        let server = StubTransport()
        for status in [503, 503, 409] {
            server.on("/user", times: 1) { _ in
                calls.add("send")
                return .status(status)
            }
        }
        server.on("/user") { _ in
            calls.add("send")
            return .json(#"{"name": "Ada"}"#)
        }
        let client = HookedClient(over: server) {
            $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(0))
            $0.middleware = [Named(name: "outer", calls: calls), Named(name: "inner", calls: calls)]
        }
        client.calls = calls
        try await Self.send(by: face, client)
        let unused = face.unused
        #expect(calls.elements == Self.order.filter { !unused.contains($0) })
    }

    private static func send(by face: Face, _ client: SimpleNetworking) async throws {
        let body = User(name: "Bob")
        switch face {
        case .handlers:
            _ = try await client.put("/user", body: body) { $0.on(success: User.self) { _ in } }.ended().get()
        case .awaitedHandlers:
            let request = SimpleNetworking.put("/user", body: body).on(success: User.self) { _ in }
            _ = try await client.send(request)
        case .typed: _ = try await client.send(Request<User>.put("/user", body: body))
        case .typedHandlers:
            let request = client.execute(Request<User>.put("/user", body: body)) { $0.on(success: User.self) { _ in } }
            _ = try await request.ended().get()
        case .void: try await client.send(.put("/user", body: body))
        case .data: _ = try await client.data(for: Request<User>.put("/user", body: body))
        }
    }
}

private final class HookedClient: SimpleNetworking, @unchecked Sendable {
    var calls = Recorder<String>()

    override func execute(request: SimpleRequest) {
        calls.add("execute")
        if request.httpStatusHandlers[409] == nil {
            request.on(isolation: nil, httpStatus: 409) { request, _ in
                self.calls.add("handler 409")
                request.retry()
                return false
            }
        }
        super.execute(request: request)
    }

    override func url(for request: SimpleRequest) throws -> URL {
        calls.add("url")
        return try super.url(for: request)
    }

    override func encoder(for request: SimpleRequest) -> JSONEncoder {
        calls.add("encoder")
        return super.encoder(for: request)
    }

    override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
        calls.add("prepare")
    }

    override func validate(_ response: SimpleResponse) throws {
        calls.add("validate \(response.httpStatus)")
        try super.validate(response)
    }

    override func shouldRetry(
        _ request: SimpleRequest,
        error: SimpleNetworkingError,
        attempt: Int
    ) async throws -> Bool {
        calls.add("shouldRetry \(error.httpStatus ?? 0) \(attempt)")
        return error.httpStatus == 503
    }

    override func decoder(for request: SimpleRequest) -> any ResponseDecoder {
        calls.add("decoder")
        return super.decoder(for: request)
    }
}

private struct Named: Middleware {
    let name: String
    let calls: Recorder<String>

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        calls.add("\(name) →")
        defer { calls.add("← \(name)") }
        return try await next(request)
    }
}
