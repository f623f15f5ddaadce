import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Runs the samples of the article “Secrets in texts”.
@Suite(.timeLimit(.minutes(5)))
struct RedactionSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    @Test
    func markedSecretsPrintAsAMark() async {
        let api = SimpleNetworking(host: "api.example.com") { $0.secretHeaders = ["X-Device"] }
        let request = SimpleNetworking.get("/user").header("X-Ticket", "k-1234", isSecret: true).header(
            "X-Device",
            "d-1234"
        )
        let password = Secret("hunter2")
        print("signs in with \(password)")
        print(await request.explain(status: 404, on: api))

        #expect(printed.elements[0] == "signs in with ‹secret›")
        #expect(!printed.elements[1].contains("1234"))
    }
}
