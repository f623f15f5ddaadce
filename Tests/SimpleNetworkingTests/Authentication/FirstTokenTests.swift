import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

/// The `signIn` closure of a `BearerAuthenticator`, which returns the first token.
@Suite(.timeLimit(.minutes(5)))
struct FirstTokenTests {
    private struct Wrong: Error {}

    private let server = StubTransport().on("/x", .json("{}"))

    private func client(_ bearer: BearerAuthenticator) -> SimpleNetworking {
        SimpleNetworking(over: server) {
            $0.authenticator = bearer
            // Among all tests at once, a task may wait longer than a user would.
            $0.refreshTimeout = 600
        }
    }

    private var tokens: [String?] { server.requests(to: "/x").map { $0.headers["Authorization"] } }

    @Test(arguments: [1, 2])
    func allRequestsOfAllClientsShareOneSignIn(clients count: Int) async throws {
        let gate = Gate()
        let signIns = Locked(0)
        let bearer = BearerAuthenticator(signIn: {
            _ = signIns.next()
            try await gate.wait()
            return Secret("first")
        })
        let clients = (0..<count).map { _ in client(bearer) }
        let requests = (0..<20).map { clients[$0 % count].get("/x") }
        await gate.arrivals(1)
        gate.open()
        for request in requests { #expect(await request.ended().value != nil, "\(request.trace)") }
        #expect(signIns.withLock { $0 } == 1)
        #expect(tokens == Array(repeating: "Bearer first", count: 20))
        #expect(bearer.token == Secret("first"))
    }

    @Test
    func signInIsNotCalledWhileThereIsAToken() async throws {
        let bearer = BearerAuthenticator(token: Secret("saved"), signIn: { throw Wrong() })
        #expect(await client(bearer).get("/x").ended().value != nil)
        #expect(tokens == ["Bearer saved"])
    }

    @Test
    func signInMayUseTheClientItself() async throws {
        let box = Locked<SimpleNetworking?>(nil)
        let bearer = BearerAuthenticator(signIn: {
            guard let client = box.withLock({ $0 }) else { throw Wrong() }
            return Secret(try await client.send(Request<String>.get("/token")).value)
        })
        server.on("/token", .text("first"))
        let client = client(bearer)
        box.withLock { $0 = client }
        #expect(await client.get("/x").ended(timeout: 60).value != nil)
        #expect(server.requests.map { $0.headers["Authorization"] } == [nil, "Bearer first"])
        box.withLock { $0 = nil }
    }

    @Test
    func failedSignInEndsTheRequestAndTheNextRequestSignsInAgain() async throws {
        let signIns = Locked(0)
        let bearer = BearerAuthenticator(signIn: {
            if signIns.next() == 1 { throw Wrong() }
            return Secret("first")
        })
        let client = client(bearer)
        guard case .authentication(let failure)? = await client.get("/x").ended().error else { throw Wrong() }
        #expect(failure.underlying is Wrong)
        #expect(failure.request?.url.path == "/x")
        #expect(await client.get("/x").ended().value != nil)
        #expect(tokens == ["Bearer first"])
    }

    @Test
    func rejectedFirstTokenIsRefreshedAtMostOnce() async throws {
        server.on("/y", .status(401))
        let refreshes = Locked(0)
        let bearer = BearerAuthenticator(
            refresh: { token in Secret(token.reveal() + "\(refreshes.next())") },
            signIn: { Secret("first") }
        )
        #expect(await client(bearer).get("/y").ended().error?.httpStatus == 401)
        #expect(server.requests.count <= 2)
        #expect(refreshes.withLock { $0 } <= 1)
    }

    @Test(arguments: [Secret("other"), nil])
    func tokenThatIsSetDuringTheSignInIsKept(token: Secret?) async throws {
        let gate = Gate()
        let bearer = BearerAuthenticator(signIn: {
            try await gate.wait()
            return Secret("first")
        })
        let request = client(bearer).get("/x")
        await gate.arrivals(1)
        bearer.token = token
        gate.open()
        let outcome = await request.ended()
        #expect(bearer.token == token)
        #expect(tokens == (token == nil ? [] : ["Bearer other"]))
        if token != nil { return #expect(outcome.value != nil) }
        guard case .authentication(let failure)? = outcome.error else { throw Wrong() }
        #expect(failure.kind == .signedOut)
    }

    @Test
    func makeRequestSignsInNobody() async throws {
        let bearer = BearerAuthenticator(signIn: { throw Wrong() })
        let made = try await client(bearer).makeRequest(for: Request<Void>.get("/x"))
        #expect(made.headers["Authorization"] == nil)
    }
}
