import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

private final class Screen: @unchecked Sendable {
    let api: SimpleNetworking
    let shown = Recorder<Int>()

    init(_ api: SimpleNetworking) { self.api = api }

    func show(_ response: SimpleResponse) { shown.add(response.httpStatus) }

    func loadBound() -> SimpleRequest {
        api.get("/film.mp4") { [weak self] in
            $0.on(success: { response in self?.show(response) }, owner: self)
        }
    }
}

/// Runs the samples of the article “Memory and cycles”.
@Suite(.timeLimit(.minutes(5)))
struct MemorySamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    @Test
    func aRequestEndsWithItsOwner() async throws {
        let clock = VirtualClock()
        server.on("/film.mp4", .silence)
        let request: SimpleRequest
        do {
            let screen = Screen(client { $0.clock = clock })
            request = screen.loadBound()
            await clock.alarms(1)
        }
        clock.advance(by: 1)
        // A caller that waits for the end would keep the request going.
        while request.trace.end == nil { await Task.yield() }
        #expect(await request.ended().error?.isCancellation == true)
    }
}
