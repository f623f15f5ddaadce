import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Responses that arrive after their user has signed out.
@Suite(.timeLimit(.minutes(1)))
struct SignedOutPairTests {
    private let server = StubTransport()
    private let gate = Gate()

    /// A request in flight still has its response, which is validated as ever.
    @Test(arguments: ["status", "type", "none"])
    func aResponseAfterASignOutIsValidatedAndEndsItsRequestOnce(defect: String) async {
        let type = defect == "type" ? "text/html" : "application/json"
        server.on("/x", .pieces("{}", type: type, status: defect == "status" ? 404 : 200).after(gate))
        let client = SimpleNetworking(over: server)
        client.headers["Authorization"] = "Bearer ada"
        let heard = Recorder<String>()
        let request = client.get("/x") { request in
            request.acceptable(types: [.json])
                .on(success: { (_: SimpleResponse) in heard.add("success") })
                .on(error: { _ in heard.add("error") })
                .on(completion: { _ in heard.add("completion") })
        }
        await gate.arrivals(1)
        client.signOut()
        gate.open()
        await request.ended()
        #expect(heard.elements == [defect == "none" ? "success" : "error", "completion"])
    }

    /// The next user's owner isn't the one of the request in flight, which can still be cancelled.
    @Test
    func aRequestOfTheUserBeforeCanBeCancelledAfterASignOut() async {
        server.on("/x", .json("{}").after(gate))
        let client = SimpleNetworking(over: server)
        client.headers["Authorization"] = "Bearer ada"
        let ends = Recorder<String>()
        let request = client.get("/x") { $0.on(completion: { _ in ends.add("end") }) }
        await gate.arrivals(1)
        client.signOut()
        request.cancel()
        #expect(await request.ended().error?.isCancellation == true)
        gate.open()
        client.signOut()
        #expect(ends.elements == ["end"])
        #expect(server.requests.count == 1)
    }
}
