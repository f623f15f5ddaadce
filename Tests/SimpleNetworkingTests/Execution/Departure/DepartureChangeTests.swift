import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// Settings, users and hooks that change while a request waits for its turn.
@Suite(.timeLimit(.minutes(5)))
struct DepartureChangeTests {
    private let held = Gate()
    private let server = StubTransport()

    /// Prepares attempts with values that change.
    private final class Changing: SimpleNetworking, @unchecked Sendable {
        let prepares = Recorder<String>()
        let tenant = Locked("a")
        let mode = Locked<(@Sendable (Changing, inout TransportRequest) -> Void)?>(nil)

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            prepares.add(attempt.url.path)
            mode.withLock { $0 }?(self, &attempt)
        }
    }

    /// Sends a request that waits for its turn, and changes something meanwhile.
    private func send(
        _ request: SimpleRequest,
        on client: SimpleNetworking,
        changing change: () -> Void
    ) async throws -> Outcome {
        client.get("/held")
        await held.arrivals(1)
        request.execute(on: client)
        try await eventually { request.trace.description.contains("waits for its turn") }
        change()
        held.open()
        return await request.ended()
    }

    private func serve() { server.on("/held", .json("{}").after(held)) }

    /// Otherwise, it would be asked again and again.
    @Test(arguments: [true, false])
    func aHookOrACredentialThatSetsAFieldOfTheClientIsNotAskedForEver(isHook: Bool) async throws {
        struct Setting: Authenticator {
            let client = Locked<SimpleNetworking?>(nil)
            let calls = Recorder<String>()

            func credential() async throws -> String? {
                calls.add("credential")
                client.withLock { $0 }?.headers["X-Call"] = "\(calls.elements.count)"
                return "t"
            }
            func sign(_ request: inout TransportRequest, with credential: String) {
                request.headers["Authorization"] = credential
            }
        }
        serve()
        server.on("*", .json("{}"))
        let authenticator = Setting()
        let client = Changing(over: server) {
            $0.traffic.inFlight = 1
            if !isHook { $0.authenticator = authenticator }
        }
        _ = authenticator.client.exchange(client)
        if isHook { _ = client.mode.exchange { client, _ in client.headers["X-Call"] = UUID().uuidString } }
        #expect(try await send(SimpleNetworking.get("/x"), on: client) {}.value != nil)
        #expect(client.prepares.elements.count { $0 == "/x" } <= 5)
        #expect(authenticator.calls.elements.count < 50)
        _ = authenticator.client.exchange(nil)
    }

    @Test
    func whatIsPreparedAgainIsPreparedAsAWhole() async throws {
        serve()
        server.on("*", .json("{}"))
        let client = Changing(over: server) { $0.traffic.inFlight = 1 }
        _ = client.mode.exchange { client, attempt in
            guard attempt.url.path != "/held" else { return }
            let tenant = client.tenant.withLock { $0 }
            attempt.method = tenant == "a" ? .post : .put
            attempt.headers["X-Tenant"] = tenant
            attempt.headers["X-Removed"] = nil
            attempt.body = .data(Data(tenant.utf8))
        }
        let outcome = try await send(SimpleNetworking.post("/x"), on: client) {
            _ = client.tenant.exchange("b")
            client.headers["X-Removed"] = "1"
        }
        #expect(outcome.value != nil)
        let sent = try #require(server.requests(to: "/x").first)
        #expect(sent.method == .put)
        #expect(sent.headers["X-Tenant"] == "b")
        #expect(sent.headers["X-Removed"] == nil)
        guard case .data(let data) = sent.body else { throw Surprise("\(sent.body)") }
        #expect(data == Data("b".utf8))
    }

    /// Sends requests to another origin.
    private struct Mirror: Middleware {
        func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
            var request = request
            if request.url.path == "/x" { request.url = URL(fileURLWithPath: "/x") }
            if request.url.isFileURL, let url = URL(string: "https://mirror.example.net/x") { request.url = url }
            return try await next(request)
        }
    }

    @Test
    func aFieldThatIsSetMeanwhileDoesNotGoToAnotherOrigin() async throws {
        serve()
        server.on("*", .json("{}"))
        let client = Changing(over: server, through: [Mirror()]) { $0.traffic.inFlight = 1 }
        let outcome = try await send(SimpleNetworking.get("/x"), on: client) {
            client.headers["Authorization"] = "Bearer ada"
        }
        #expect(outcome.value != nil)
        #expect(server.requests.last?.url.host == "mirror.example.net")
        #expect(server.requests.last?.headers["Authorization"] == nil)
    }

    @Test
    func anOriginThatIsNotTrustedCannotSendASignedRequestHere() async throws {
        server.on("/e", .redirect(to: "https://api.example.com/delete-all")).on("*", .json("{}"))
        let client = SimpleNetworking(over: server) { $0.authenticator = BearerAuthenticator(token: Secret("ada")) }
        #expect(await client.get("https://evil.example.net/e").ended().value != nil)
        #expect(server.requests.map { $0.headers["Authorization"] } == [nil, nil])
    }

    /// A response is stored for the account and the fields with which its request was sent, or not at all.
    @Test(arguments: ["sign-in", "language"])
    func aResponseIsNotStoredForWhoOnlyLookedItUp(change: String) async throws {
        serve()
        server.on("/me") { request in
            let text = (request.headers["Authorization"] ?? "nobody") + (request.headers["Accept-Language"] ?? "")
            return .text(text, headers: ["Cache-Control": "max-age=600", "Vary": "Accept-Language"])
        }
        let bearer = BearerAuthenticator(token: nil)
        let client = SimpleNetworking(over: server) {
            $0.traffic.inFlight = 1
            $0.cache = ResponseCache()
            $0.authenticator = bearer
            $0.defaultHeaders["Accept-Language"] = "de"
        }
        let first = try await send(SimpleNetworking.get("/me"), on: client) {
            if change == "sign-in" { bearer.token = Secret("ada") } else { client.headers["Accept-Language"] = "en" }
        }
        #expect(first.value?.text == (change == "sign-in" ? "Bearer adade" : "nobodyen"))
        bearer.token = nil
        client.signOut()
        client.headers["Accept-Language"] = "de"
        #expect(await client.get("/me").ended().value?.text == "nobodyde")
    }

    /// What was joined as one user's request must not be joined any more once it was sent as another's.
    @Test
    func aTransferThatHasChangedIsNotJoined() async throws {
        let second = Gate()
        serve()
        server.on("/me") { request in
            if request.headers["X-Tenant"] == "b" { try await second.wait() }
            return .text(request.headers["X-Tenant"] ?? "none")
        }
        let client = SimpleNetworking(over: server) {
            $0.traffic.inFlight = 2
            $0.traffic.coalesces = true
            $0.defaultHeaders["X-Tenant"] = "a"
        }
        for number in 1...2 { client.get("/held", query: ["n": number]) }
        await held.arrivals(2)
        let first = client.get("/me")
        try await eventually { first.trace.description.contains("waits for its turn") }
        client.headers["X-Tenant"] = "b"
        held.open()
        await second.arrivals(1)
        client.headers["X-Tenant"] = "a"
        #expect(await client.get("/me").ended().value?.text == "a")
        second.open()
        #expect(await first.ended().value?.text == "b")
    }

    /// Polls the job that a POST has begun.
    private struct Polling: Middleware {
        func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
            let response = try await next(request)
            guard response.httpStatus == 202, let url = URL(string: "https://api.example.com/jobs/1") else {
                return response
            }
            return try await next(TransportRequest(head: RequestHead(url: url)))
        }
    }

    @Test
    func aPostThatWasAcceptedIsNotRepeatedBecauseItsPollIsRefused() async {
        server.on(.post, "/orders", .status(202)).on("/jobs/1", .status(401))
        let client = SimpleNetworking(over: server, through: [Polling()]) {
            $0.authenticator = BearerAuthenticator(token: Secret("old")) { _ in Secret("new") }
        }
        #expect(await client.post("/orders").ended().error?.httpStatus == 401)
        #expect(server.log == ["POST /orders", "GET /jobs/1"])
    }

    @Test
    func aCredentialThatNeverReturnsKeepsNoTurnAfterACancellation() async throws {
        struct Hanging: Authenticator {
            let calls = Locked(0)
            let forever = Gate()

            func credential() async throws -> String? {
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                // The second of the request that waits.
                if call == 3 { await Task { try? await forever.wait() }.value }
                return "t"
            }
            func sign(_ request: inout TransportRequest, with credential: String) {}
        }
        serve()
        server.on("*", .json("{}"))
        let hanging = Hanging()
        let client = SimpleNetworking(over: server) {
            $0.traffic.inFlight = 1
            $0.authenticator = hanging
        }
        let first = client.get("/held")
        await held.arrivals(1)
        let second = client.get("/x")
        try await eventually { second.trace.description.contains("waits for its turn") }
        held.open()
        await first.ended()
        await hanging.forever.arrivals(1)
        second.cancel()
        #expect(await second.ended().error?.isCancellation == true)
        #expect(await client.get("/y").ended().value != nil)
        hanging.forever.open()
    }

    /// Changes each chunk.
    private struct Cipher: Middleware {
        func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
            var sent = request
            switch request.body {
            case .chunks(_, let chunks):
                sent.body = .chunks(length: nil, BodyChunks { chunks.map { Data($0.map { $0 ^ 0xFF }) } })
            case .stream:
                sent.body = .stream(length: nil) { InputStream(data: Data("secret".utf8.map { $0 ^ 0xFF })) }
            default: return try await next(request)
            }
            return try await next(sent)
        }
    }

    @Test(arguments: [true, false])
    func aStreamOfMiddlewareStaysWhenTheRequestIsPreparedAgain(isStream: Bool) async throws {
        let sent = Locked(Data())
        serve()
        server.on(.post, "/x") { request in
            if case .data(let data) = request.body { sent.withLock { $0 = data } }
            if case .stream(_, let make) = request.body, let stream = make() {
                stream.open()
                var bytes = [UInt8](repeating: 0, count: 16)
                let count = stream.read(&bytes, maxLength: bytes.count)
                sent.withLock { $0 = Data(bytes.prefix(count)) }
            }
            return .json("{}")
        }
        let client = Changing(over: server, through: [Cipher()]) { $0.traffic.inFlight = 1 }
        let request = SimpleNetworking.post("/x")
        if isStream {
            request.body(streamOfLength: nil, contentType: .text) { InputStream(data: Data("secret".utf8)) }
        } else {
            let chunks = BodyChunks {
                AsyncStream { continuation in
                    continuation.yield(Data("secret".utf8))
                    continuation.finish()
                }
            }
            request.body(chunks: chunks, contentType: .text)
        }
        let outcome = try await send(request, on: client) { client.headers["X-Language"] = "de" }
        #expect(outcome.value != nil)
        #expect(client.prepares.elements.count { $0 == "/x" } == 2)
        #expect(sent.withLock { Data($0.map { $0 ^ 0xFF }) } == Data("secret".utf8))
    }

    /// A field changes before the request is sent, and again before its redirect.
    @Test
    func theRedirectOfARequestThatWasPreparedAgainHasTheFieldsOfItsMoment() async throws {
        let gate = Gate()
        serve()
        server.on(.post, "/x", .redirect(to: "/y", status: 303).after(gate)).on("/y", .json("{}"))
        let client = Changing(over: server) {
            $0.traffic.inFlight = 1
            $0.defaultHeaders["X-Version"] = "0"
        }
        client.get("/held")
        await held.arrivals(1)
        let request = client.post("/x")
        try await eventually { request.trace.description.contains("waits for its turn") }
        client.headers["X-Version"] = "1"
        held.open()
        await gate.arrivals(1)
        client.headers["X-Version"] = "2"
        gate.open()
        #expect(await request.ended().value != nil)
        #expect(server.requests.map { $0.headers["X-Version"] } == ["0", "1", "2"])
    }
}
