import Extensions
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Another feature that is written with the public part of the package alone.
@Suite(.timeLimit(.minutes(1)))
struct RequestLogTests {
    @Test
    func onlyTheRequestThatAsksForALevelIsLogged() async throws {
        let lines = Recorder<String>()
        let api = SimpleNetworking(host: "api.example.com") {
            $0.transport = StubTransport().on("*", .json("{}"))
            $0.logger = .silent
            $0.eventMonitors = [RequestLog { level, line in lines.add("\(level) \(line)") }]
        }
        _ = try await api.send(SimpleNetworking.get("/quiet"))
        #expect(lines.elements.isEmpty)
        _ = try await api.send(SimpleNetworking.get("/info?access_token=s3cret").logLevel(.info))
        let info = lines.elements
        #expect(info.count == 3 && info.allSatisfy { $0.hasPrefix("info #") } && !"\(info)".contains("s3cret"))
        await api.get("/debug") { $0.logLevel(.debug).on(success: { _ in }) }.ended()
        #expect(lines.elements.dropFirst(3).contains { $0.hasPrefix("debug #") })
    }
}
