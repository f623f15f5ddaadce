import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// Heads of responses whose content fails, or isn't read to its end: what they say counts all the same.
@Suite(.timeLimit(.minutes(1)))
struct FailedHeadTests {
    /// How the content of a response fails.
    enum Defect: CaseIterable {
        case cut, tooLarge

        func response(status: Int, headers: HTTPHeaders = [:]) -> StubResponse {
            switch self {
            case .cut: .pieces("abc", "defgh", status: status, headers: headers).cut(after: 4)
            case .tooLarge: .text(String(repeating: "a", count: 200), status: status, headers: headers)
            }
        }
    }

    private let server = StubTransport()
    private let file = ScratchFolder().url.appendingPathExtension("txt")

    /// Makes a client of the stub, or of the stub behind a socket.
    private func client(
        isReal: Bool = false,
        _ configure: (inout SimpleNetworking.Configuration) -> Void
    ) throws -> (SimpleNetworking, LoopbackServer?) {
        let loopback = isReal ? try LoopbackServer(server) : nil
        let client = SimpleNetworking(baseURL: loopback?.url ?? SimpleNetworking(over: server).baseURL) {
            if !isReal { $0.transport = server }
            $0.logger = .quiet
            $0.maxResponseSize = 100
            $0.maxDownloadSize = 100
            configure(&$0)
        }
        return (client, loopback)
    }

    // MARK: The cache

    /// Serves a stored text, which a PUT changes.
    private func serveText(_ put: StubResponse) {
        let text = Locked("one")
        server.on(.get, "/x") { _ in .text(text.withLock { $0 }, headers: ["Cache-Control": "max-age=600"]) }
            .on(.put, "/x") { _ in
                text.withLock { $0 = "two" }
                return put
            }
    }

    @Test(arguments: Defect.allCases, [(false, false), (false, true), (true, false), (true, true)])
    func aSuccessRemovesTheStoredResponse(defect: Defect, way: (isReal: Bool, toFile: Bool)) async throws {
        serveText(defect.response(status: 200))
        let (client, loopback) = try client(isReal: way.isReal) { $0.cache = ResponseCache() }
        #expect(await client.get("/x").ended().value?.text == "one")
        let put = client.put("/x") { way.toFile ? $0.download(to: file) : $0 }
        #expect(await put.ended().error != nil)
        #expect(await client.get("/x").ended().value?.text == "two")
        loopback?.stop()
    }

    @Test(arguments: [false, true])
    func theHeadOfAStreamThatIsNotReadToItsEndRemovesTheStoredResponse(isReal: Bool) async throws {
        let gate = Gate()
        serveText(.pieces("line\n", .gate(gate), "line\n"))
        let (client, loopback) = try client(isReal: isReal) { $0.cache = ResponseCache() }
        #expect(await client.get("/x").ended().value?.text == "one")
        for try await _ in client.lines(for: SimpleNetworking.put("/x")) { break }
        #expect(await client.get("/x").ended().value?.text == "two")
        gate.open()
        loopback?.stop()
    }

    // MARK: Refusals

    @Test(arguments: Defect.allCases, [(false, false), (false, true), (true, false), (true, true)])
    func aRefusalIsAnsweredWithANewCredential(defect: Defect, way: (isReal: Bool, toFile: Bool)) async throws {
        server.on(.post, "/x") { request in
            request.headers["Authorization"] == "Bearer new" ? .text("fine") : defect.response(status: 401)
        }
        let (client, loopback) = try client(isReal: way.isReal) {
            $0.authenticator = BearerAuthenticator(token: Secret("old")) { _ in Secret("new") }
        }
        let post = client.post("/x") { way.toFile ? $0.download(to: file) : $0 }
        #expect(await post.ended().value != nil)
        #expect(server.requests.count == 2)
        loopback?.stop()
    }

    @Test
    func aRequestThatHasJoinedTheTransferIsSentAgainToo() async throws {
        let gate = Gate()
        server.on("/x") { request in
            request.headers["Authorization"] == "Bearer new"
                ? .text("fine") : Defect.cut.response(status: 401).after(gate)
        }
        let (client, _) = try client {
            $0.authenticator = BearerAuthenticator(token: Secret("old")) { _ in Secret("new") }
            $0.traffic.coalesces = true
        }
        let requests = [client.get("/x"), client.get("/x")]
        try await eventually { requests.contains { $0.trace.description.contains("joins GET") } }
        gate.open()
        for request in requests { #expect(await request.ended().value?.text == "fine") }
    }

    /// The failure of a request whose credential isn't refreshed is that of its content.
    @Test
    func aRefusalThatIsNotAnsweredFailsAsItsContent() async throws {
        server.on("/x", Defect.tooLarge.response(status: 401))
        let (client, _) = try client {
            $0.authenticator = BearerAuthenticator(token: Secret("old")) { _ in Secret("new") }
        }
        guard case .tooLarge? = await client.get("/x").ended().error else { throw Surprise("no error") }
        #expect(server.requests.count == 2)
    }

    // MARK: Retries

    /// Also without the traffic rules, with which nothing else reads a head.
    @Test(arguments: [true, false])
    func theDelayThatAServerAsksForIsHeeded(respectsRateLimits: Bool) async throws {
        let delays = Locked(["0", "90"])
        server.on("/x") { _ in
            Defect.cut.response(status: 503, headers: ["Retry-After": delays.withLock { $0.removeFirst() }])
        }
        let (client, _) = try client {
            $0.traffic.respectsRateLimits = respectsRateLimits
            $0.retryPolicy = RetryPolicy(attempts: 3, backoff: .constant(600))
        }
        // The first is retried at once, and the second asks for more than the policy allows.
        #expect(await client.get("/x").ended().error != nil)
        #expect(server.requests.count == 2)
    }
}
