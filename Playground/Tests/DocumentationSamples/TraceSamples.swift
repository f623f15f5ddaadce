import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Checks the trace that the article “Logging and events” prints.
@Suite(.timeLimit(.minutes(5)))
struct TraceSamples {
    private let server = StubTransport()

    @Test
    func theTraceOfARefreshedRequest() async throws {
        let clock = VirtualClock()
        server.on("/auth", .json(#"{"token": "new"}"#).after(0.031))
            .on("/orders", .replies(.status(401).after(0.042), .json("[]").after(0.038)))
        let api = StoreAPI(host: "api.example.com") {
            $0.transport = server
            $0.clock = clock
            $0.logger = .silent
        }
        let request = api.get("/orders") { $0.on(success: { _ in }) }
        for _ in 0..<3 { try await clock.advance(to: .response) }
        try await eventually { request.trace.handlers.count == 2 }
        let here = /DocumentationSamples\/(README|Trace)Samples.swift:\d+/
        let trace = "\(request.trace)".replacing(here, with: "Store/StoreAPI.swift")
        #expect(try Article("LoggingAndEvents").text.contains("```text\n\(trace)\n```"))
    }
}
