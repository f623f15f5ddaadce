import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

/// Requests that a server has redirected, and whose target refuses the credential.
@Suite(.timeLimit(.minutes(5)))
struct RedirectedRefusalTests {
    /// The server has carried the POST out: sent again, it would be carried out twice.
    @Test(arguments: [(HTTPMethod.post, 1), (.put, 2)])
    func onlyAnIdempotentRequestIsSentAgain(method: HTTPMethod, count: Int) async throws {
        let server = StubTransport()
            .on("/orders", .redirect(to: "/orders/7", status: 303)).on("/orders/7", .status(401))
        let refreshes = Recorder<String>()
        let bearer = BearerAuthenticator(token: Secret("old")) { refused in
            refreshes.add(refused.reveal())
            return Secret("new")
        }
        let client = SimpleNetworking(over: server) {
            $0.authenticator = bearer
            $0.refreshTimeout = 600
        }
        #expect(await client.request(method, path: "/orders").ended().error?.httpStatus == 401)
        #expect(server.requests(to: "/orders").count == count)
        #expect(refreshes.elements == (count == 1 ? [] : ["old"]))
    }
}
