import Foundation
import SimpleNetworkingCore
import SimpleNetworkingTesting
import Testing

/// The kind of an authentication failure tells the remedy.
@Suite(.timeLimit(.minutes(5)))
struct AuthenticationFailureKindTests {
    typealias Kind = SimpleNetworkingError.AuthenticationFailure.Kind

    private func kind(of error: SimpleNetworkingError?) throws -> Kind {
        guard case .authentication(let failure)? = error else { throw Surprise("\(error as Any)") }
        return failure.kind
    }

    @Test(arguments: [
        (StubResponse.status(400), Kind.refused), (.status(401), .refused), (.status(403), .refused),
        (.status(429), .refreshFailed), (.status(503), .refreshFailed), (.failure(.offline), .refreshFailed),
        (.text("no token"), .refreshFailed),
    ])
    func refreshThatFailsTellsWhetherAnotherSignInIsNeeded(response: StubResponse, expected: Kind) async throws {
        let server = StubTransport().on("/token", response).on("/x", .status(401))
        let accounts = SimpleNetworking(over: server)
        let bearer = BearerAuthenticator(token: Secret("old")) { _ in
            try await accounts.send(Request<[String: Secret]>.get("/token")).value["access"] ?? Secret("")
        }
        let error = await SimpleNetworking(over: server) { $0.authenticator = bearer }.get("/x").ended().error
        #expect(try kind(of: error) == expected)
    }

    @Test
    func requestOfAUserWhoHasSignedOutTellsSo() async throws {
        let gate = Gate()
        let server = StubTransport().on("/x", .status(401))
        let bearer = BearerAuthenticator(token: Secret("old")) { _ in
            try await gate.wait()
            return Secret("new")
        }
        let request = SimpleNetworking(over: server) { $0.authenticator = bearer }.get("/x")
        await gate.arrivals(1)
        bearer.token = nil
        gate.open()
        #expect(try kind(of: await request.ended().error) == .signedOut)
    }

    @Test(arguments: [
        (RefreshFailure.timedOut(30), Kind.refreshFailed), (.forgotten, .refreshFailed), (.signedOut, .signedOut),
        (.notRefreshable, .signInNeeded),
    ])
    func ownReasonsHaveTheirKind(failure: RefreshFailure, expected: Kind) {
        let failure = SimpleNetworkingError.AuthenticationFailure(reason: "", underlying: failure)
        #expect(failure.kind == expected)
    }

    @Test
    func failureHasTheDescriptionOfItsError() async throws {
        let server = StubTransport().on("/x", .status(401))
        let bearer = BearerAuthenticator(token: Secret("old")) { _ in throw RefreshFailure.notRefreshable }
        let error = await SimpleNetworking(over: server) { $0.authenticator = bearer }.get("/x").ended().error
        guard case .authentication(let failure)? = error else { throw Surprise("\(error as Any)") }
        let text = "GET https://api.example.com/x could not be authenticated: "
        #expect("\(failure)".hasPrefix(text))
        #expect("\(failure)" == error?.description)
        #expect(failure.localizedDescription == error?.description)
    }

    @Test
    func failureWithoutACauseNeedsAnotherCredential() async throws {
        let api = SimpleNetworking(over: StubTransport()) { $0.authenticate(with: "a:b", password: "c") }
        #expect(try kind(of: await api.get("/x").ended().error) == .signInNeeded)
    }
}
