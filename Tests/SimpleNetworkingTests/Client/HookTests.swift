import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// What each hook of a client's subclass can do, and when it is not called.
@Suite(.timeLimit(.minutes(5)))
struct HookTests {
    private let server = StubTransport()

    private func client(
        retries: Int = 3,
        _ change: (Hooked) -> Void,
        configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) -> Hooked {
        let client = Hooked(over: server) {
            $0.maxRetries = retries
            configure(&$0)
        }
        change(client)
        return client
    }

    private func failure(_ client: SimpleNetworking, _ path: String = "/x") async throws -> SimpleNetworkingError {
        let error = await #expect(throws: SimpleNetworkingError.self) { try await client.send(Request<Void>.get(path)) }
        return try #require(error)
    }

    @Test
    func nothingIsSentAndShouldRetryNotCalledWhenPrepareThrows() async throws {
        let client = client({
            $0.onPrepare = { _, _ in throw Surprise("no") }
            $0.onRetry = { _, _ in true }
        })
        guard case .failed(let own, let head, nil) = try await failure(client) else { throw Surprise("another error") }
        #expect(own is Surprise)
        #expect(head?.url.path == "/x")
        #expect(server.requests.isEmpty)
        #expect(client.requested.elements == [])
    }

    @Test(arguments: [HTTPMethod.get, .head, .post])
    func contentThatPrepareAddsMustBeAllowedByTheMethod(method: HTTPMethod) async throws {
        server.on("/x", .status(200), times: .atLeast(0))
        let client = client({ $0.onPrepare = { attempt, _ in attempt.body = .data(Data("?".utf8)) } })
        let end = await client.request(method, path: "/x").ended()
        let insisting = await client.request(method, path: "/x") { $0.allowsBodyOnGet() }.ended()
        if case .invalidRequest? = end.error { #expect(method != .post) } else { #expect(method == .post) }
        #expect(insisting.value?.httpStatus == 200)
        #expect(server.requests.count == (method == .post ? 2 : 1))
    }

    /// The error of the second attempt must not be taken for the first one's.
    @Test
    func shouldRetryIsNotCalledWhenPrepareThrowsOnALaterAttempt() async throws {
        server.on("/x", .status(409))
        let client = client({
            $0.onPrepare = { _, request in if request.attempt == 2 { throw Surprise("no") } }
            $0.onRetry = { error, _ in error.httpStatus != 409 }
        })
        let request = client.get("/x") {
            $0.on(isolation: nil, httpStatus: 409) { request, _ in
                request.retry()
                return false
            }
        }
        guard case .failed? = await request.ended().error else { throw Surprise("another error") }
        #expect(server.requests.count == 1)
        #expect(client.requested.elements == ["clientError 1"])
    }

    @Test
    func whatPrepareSetsWinsAndCountsForOneAttempt() async throws {
        server.on("/x", .status(503), times: 1).on("/x", .json("{}"))
        let client = client(
            {
                $0.onPrepare = { attempt, _ in
                    attempt.headers["X-Count"] = (attempt.headers["X-Count"] ?? "") + "1"
                }
            },
            configure: { $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(0)) }
        )
        let request = Request<Void>.get("/x", headers: ["X-Count": "0"])
        try await client.send(request)
        #expect(server.requests.map { $0.headers["X-Count"] } == ["01", "01"])
        #expect(try await client.makeRequest(for: request).headers["X-Count"] == "01")
    }

    @Test
    func credentialAddedByPrepareIsNotSentToAnotherOrigin() async throws {
        server.on("*", .json("{}"))
        let client = client({ $0.onPrepare = { attempt, _ in attempt.headers["Authorization"] = "Bearer t" } })
        try await client.send(.get("/x"))
        try await client.send(.get("https://other.example/x"))
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer t", nil])
        #expect(
            try await client.makeRequest(for: Request<Void>.get("https://b.example")).headers["Authorization"] == nil
        )
    }

    @Test
    func validateErrorCarriesRequestAndResponse() async throws {
        server.on("/x", .json(#"{"ok": false}"#))
        let client = client({
            $0.onValidate = { response in if response.json?["ok"] as? Bool == false { throw Surprise("not ok") } }
        })
        let error = try await failure(client)
        guard case .failed(let own, let head, let response) = error else { throw Surprise("\(error)") }
        #expect(own is Surprise)
        #expect(head?.url.path == "/x")
        #expect(response?.text == #"{"ok": false}"#)
        #expect(error.response?.text == response?.text && error.httpStatus == 200)
    }

    @Test
    func statusHandlersRunBeforeErrorHandlersGetTheValidationError() async throws {
        server.on("/x", .json(#"{"ok": false}"#), times: 1).on("/x", .json(#"{"ok": true}"#))
        let client = client({
            $0.onValidate = { response in if response.json?["ok"] as? Bool == false { throw Surprise("not ok") } }
        })
        let request = client.get("/x") {
            $0.on(httpStatus: 200) { request, response in
                guard response.json?["ok"] as? Bool == false else { return true }
                request.retry()
                return false
            }
        }
        #expect(await request.ended().value?.attempt == 2)
    }

    @Test
    func validateMayAcceptAnyStatus() async throws {
        server.on("/x", .json(#"{"ok": true}"#, status: 404))
        let client = client({ $0.onValidate = { _ in } })
        #expect(try await client.send(Request<[String: Bool]>.get("/x")).value == ["ok": true])
    }

    @Test(arguments: [0, 2, 3])
    func shouldRetryRetriesUpToMaxRetries(retries: Int) async throws {
        server.on("/x", .status(500))
        let client = client(retries: retries, { $0.onRetry = { _, _ in true } })
        #expect(try await failure(client).response?.attempt == retries + 1)
        #expect(server.requests.count == retries + 1)
    }

    @Test
    func shouldRetryIsCalledForTransportAndValidationErrors() async throws {
        server.on("/x", .failure(NetworkFailure(.connectionLost)), times: 1).on("/x", .status(404), times: 1)
            .on("/x", .json("{}"))
        let client = client({ $0.onRetry = { _, _ in true } })
        #expect(try await client.send(.get("/x")).attempt == 3)
        #expect(client.requested.elements == ["networkingError 1", "clientError 2"])
    }

    @Test
    func errorThrownByShouldRetryEndsTheRequest() async throws {
        server.on("/x", .json("{}", status: 500))
        let client = client({ $0.onRetry = { _, _ in throw Surprise("enough") } })
        let error = try await failure(client)
        guard case .failed(let own, _, let response) = error else { throw Surprise("\(error)") }
        #expect(own is Surprise)
        #expect(response?.httpStatus == 500)
    }

    @Test
    func shouldRetryIsNotCalledForDecodingBuildingOrCancellation() async throws {
        let gate = Gate()
        server.on("/list", .json("[]")).on("/slow", .json("{}").after(gate))
        let client = client({ $0.onRetry = { _, _ in true } })
        await #expect(throws: SimpleNetworkingError.self) {
            try await client.send(Request<[String: Bool]>.get("/list"))
        }
        await #expect(throws: SimpleNetworkingError.self) { try await client.send(.get("/../x")) }
        await #expect(throws: SimpleNetworkingError.self) {
            try await client.send(.post("/list", body: ["a": Double.nan]))
        }
        let task = Task { try await client.send(.get("/slow")) }
        await gate.arrivals(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(client.requested.elements == [])
    }

    @Test
    func subclassChoosesTheURL() async throws {
        server.on("*", .json("{}"))
        let client = client(
            { client in
                client.onURL = { request in
                    guard let url = URL(string: "https://\(request.tags["id"] ?? "none").example.com/x") else {
                        throw Surprise("no URL")
                    }
                    return url
                }
            },
            configure: { $0.defaultHeaders["Authorization"] = "Bearer t" }
        )
        try await client.send(Request(path: "/x", id: "cdn"))
        #expect(server.requests.map { $0.url.absoluteString } == ["https://cdn.example.com/x"])
        #expect(server.requests.first?.headers["Authorization"] == nil)
        client.onURL = { _ in throw Surprise("mine") }
        guard case .failed = try await failure(client) else { throw Surprise("another error") }
        #expect(server.requests.count == 1)
    }
}

/// Calls closures, and records the calls of `shouldRetry`.
private final class Hooked: SimpleNetworking, @unchecked Sendable {
    var onPrepare: (@Sendable (inout TransportRequest, SimpleRequest) throws -> Void)?
    var onValidate: (@Sendable (SimpleResponse) throws -> Void)?
    var onRetry: (@Sendable (SimpleNetworkingError, Int) throws -> Bool)?
    var onURL: (@Sendable (SimpleRequest) throws -> URL)?
    let requested = Recorder<String>()

    override func url(for request: SimpleRequest) throws -> URL {
        try onURL?(request) ?? super.url(for: request)
    }

    override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
        try onPrepare?(&attempt, request)
    }

    override func validate(_ response: SimpleResponse) throws {
        if let onValidate { try onValidate(response) } else { try super.validate(response) }
    }

    override func shouldRetry(
        _ request: SimpleRequest,
        error: SimpleNetworkingError,
        attempt: Int
    ) async throws -> Bool {
        requested.add("\(name(of: error)) \(attempt)")
        return try onRetry?(error, attempt) ?? false
    }
}
