import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

/// Runs the samples of the article “Streams”.
@Suite(.timeLimit(.minutes(5)))
struct StreamsSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    @Test
    func aStreamGoesOnAfterTheLastEvent() async throws {
        func events(_ text: String) -> StubResponse {
            StubResponse(headers: ["Content-Type": "text/event-stream"], body: Data(text.utf8))
        }
        server.on("/news", events("id: 1\ndata: rain\n\n"), times: 1)
            .on("/news", events("id: 2\nevent: end\ndata: sun\n\n"))

        let clock = VirtualClock()
        let api = client { $0.clock = clock }
        let reading = Task {
            for try await event in api.events(for: SimpleNetworking.get("/news"), reconnects: true) {
                print(event.data)
                if event.event == "end" { break }
            }
        }
        try await clock.advance(to: .retry)
        try await reading.value
        #expect(printed.elements == ["rain", "sun"])
        #expect(server.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1"])
    }
}
