import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Runs the samples of the article “Performance”.
@Suite(.timeLimit(.minutes(5)))
struct PerformanceSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    @Test
    func aResponseHasMetrics() async throws {
        let connection = try LoopbackServer(StubTransport().on("/user", .text("content")))
        let api = SimpleNetworking(baseURL: connection.url)

        let metrics = try await api.send(SimpleNetworking.get("/user")).metrics
        print("\(metrics.total) s, \(metrics.bytesReceived ?? 0) bytes, kept: \(metrics.isReusedConnection ?? false)")

        #expect(metrics.total > 0)
        #expect(printed.elements.first?.hasSuffix("7 bytes, kept: false") == true)
    }
}
