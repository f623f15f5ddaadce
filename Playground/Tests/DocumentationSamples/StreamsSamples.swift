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
    func linesAndBytesAreStreamed() async throws {
        let api = client()
        server.on("/log", .text("start\r\nerror: full\nend")).on("/film.mp4", .data(Data(count: 7)))

        for try await line in api.lines(for: SimpleNetworking.get("/log")) where line.hasPrefix("error") { print(line) }
        for try await chunk in api.bytes(for: SimpleNetworking.get("/film.mp4")) { print(chunk.count) }

        #expect(printed.elements == ["error: full", "7"])
    }

    @Test
    func theHeadIsThereWithTheFirstChunk() async throws {
        let api = client()
        server.on("/film.mp4", StubResponse(headers: ["Content-Length": "7"], body: Data(count: 7)))

        var chunks = api.bytes(for: SimpleNetworking.get("/film.mp4")).makeAsyncIterator()
        let head = try await chunks.head()
        print(head?.headers["Content-Length"] ?? "of unknown length")
        let first = try await chunks.next()

        #expect(first?.count == 7)
        #expect(printed.elements == ["7"])
    }

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
