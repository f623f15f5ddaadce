import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

/// `reauthenticate` in `execute(request:)`, instead of `super`, for requests that need a sign-in first.
@Suite(.timeLimit(.minutes(5)))
struct SignInBeforeSendingTests {
    private final class SignInFirst: SimpleNetworking, @unchecked Sendable {
        override func execute(request: SimpleRequest) {
            if headers["Authorization"] != nil { return super.execute(request: request) }
            reauthenticate(request) { done in
                self.get("/auth") {
                    $0.on(success: { response in
                        self.headers["Authorization"] = response.text
                        done()
                    })
                    .on(error: { error in done(error) })
                }
            }
        }
    }

    private final class AsyncSignInFirst: SimpleNetworking, @unchecked Sendable {
        override func execute(request: SimpleRequest) {
            if headers["Authorization"] != nil { return super.execute(request: request) }
            reauthenticate(
                request,
                refreshing: {
                    self.headers["Authorization"] = try await self.send(Request<String>.get("/auth")).value
                }
            )
        }
    }

    private let server = StubTransport().on("/x", .json("{}"))
    private let client: SignInFirst

    init() { client = SignInFirst(over: server) }

    @Test
    func allRequestsThatNeedASignInWaitForOne() async throws {
        let gate = Gate()
        server.on("/auth", .text("token").after(gate))
        let requests = (0..<20).map { _ in client.get("/x") }
        await gate.arrivals(1)
        gate.open()
        for request in requests { #expect(await request.ended(timeout: 60).value != nil, "\(request.trace)") }
        #expect(server.requests(to: "/auth").map { $0.headers["Authorization"] } == [nil])
        #expect(server.requests(to: "/x").map { $0.headers["Authorization"] } == Array(repeating: "token", count: 20))
    }

    @Test(arguments: [false, true])
    func awaitedRequestIsSentAfterTheSignIn(isAsync: Bool) async throws {
        server.on("/auth", .text("token"))
        let client = isAsync ? AsyncSignInFirst(over: server) : client
        #expect(try await client.send(SimpleNetworking.get("/x")).httpStatus == 200)
        #expect(server.log == ["GET /auth", "GET /x"])
    }

    @Test
    func failedSignInEndsTheRequestAndTheNextRequestSignsInAgain() async throws {
        server.on("/auth", .status(403), times: 1).on("/auth", .text("token"))
        guard case .authentication(let failure)? = await client.get("/x").ended(timeout: 60).error else {
            throw Surprise("no failure")
        }
        #expect(failure.kind == .refused)
        #expect(await client.get("/x").ended(timeout: 60).value != nil)
        #expect(server.log == ["GET /auth", "GET /auth", "GET /x"])
    }

    @Test
    func requestThatIsCancelledDuringTheSignInIsNotSent() async throws {
        let gate = Gate()
        server.on("/auth", .text("token").after(gate))
        let (cancelled, other) = (client.get("/x"), client.get("/x"))
        await gate.arrivals(1)
        cancelled.cancel()
        gate.open()
        #expect(await cancelled.ended(timeout: 60).error?.isCancellation == true)
        #expect(await other.ended(timeout: 60).value != nil)
        #expect(server.requests(to: "/x").count == 1)
    }

    @Test
    func signOutDuringTheSignInEndsTheRequest() async throws {
        let gate = Gate()
        server.on("/auth", .text("token").after(gate))
        let request = client.get("/x")
        await gate.arrivals(1)
        client.signOut()
        gate.open()
        guard case .authentication(let failure)? = await request.ended(timeout: 60).error else {
            throw Surprise("\(request.trace)")
        }
        #expect(failure.kind == .signedOut)
    }
}
