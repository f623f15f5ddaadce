import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

/// Runs the samples of the article “Command-line tools and servers”.
@Suite(.timeLimit(.minutes(5)))
struct ToolsSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    @Test
    func aToolWaitsForTheEnd() async throws {
        let api = client()
        server.on("/user", .json(#"{"id": 1, "name": "Ada"}"#)).on("/notes", .text("Buy bread"))

        let user = try await api.send(Request<User>.get("/user")).value
        print(user.name)
        await api.get("/notes") { $0.on(success: { response in print(response.text ?? "") }) }.ended()

        #expect(printed.elements == ["Ada", "Buy bread"])
    }

    // The stand-ins for Apple's frameworks, .ci/apple, have no signals.
    #if os(Linux)
        func interrupt(_ api: SimpleNetworking, _ file: URL) async throws {
            let download = Task { try await api.download(for: SimpleNetworking.get("/film.mp4"), to: file) }
            let interrupt = DispatchSource.makeSignalSource(signal: SIGINT)
            interrupt.setEventHandler { download.cancel() }
            interrupt.resume()
            signal(SIGINT, SIG_IGN)
            _ = try await download.value
        }
    #endif

    @Test
    func aServersClientHasLimits() {
        let inventory = SimpleNetworking(host: "inventory.example.com") {
            $0.timeout = 2
            $0.deadline = 5
            $0.maxResponseSize = 1 << 20
            $0.retryPolicy = RetryPolicy(attempts: 2)
            $0.logger = RequestLogger(level: .info) { level, message in print("\(level) \(message)") }
        }

        #expect(inventory.configuration.deadline == 5 && inventory.configuration.timeout == 2)
        #expect(inventory.logLevel == .info)
    }
}
