import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Tokens that `prepare(_:for:)` sets, of requests that aren't prepared anew as a whole.
@Suite(.timeLimit(.minutes(1)))
struct PreparedTokenTests {
    /// Sets its token itself, and replaces it when a server refuses it.
    private final class Preparing: SimpleNetworking, @unchecked Sendable {
        let refreshes = Recorder<String>()

        override func execute(request: SimpleRequest) {
            request.on(httpStatus: 401) { [self] request, _ in
                reauthenticate(request) { [self] done in
                    refreshes.add("t\(refreshes.elements.count + 2)")
                    headers["X-Token"] = refreshes.elements.last
                    done()
                }
                return false
            }
            super.execute(request: request)
        }

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            attempt.headers["Authorization"] = "Bearer " + (headers["X-Token"] ?? "")
            if request.path == "/film" { attempt.body = .data(Data((headers["X-Token"] ?? "").utf8)) }
        }
    }

    private let valid = Locked("t1")
    private let server = StubTransport()

    private func reply(to request: TransportRequest) -> StubResponse {
        request.headers["Authorization"] == "Bearer " + valid.withLock { $0 } ? .json("{}") : .status(401)
    }

    private func client() -> Preparing {
        server.on("*") { reply(to: $0) }
        return Preparing(over: server) {
            $0.traffic.inFlight = 1
            $0.defaultHeaders["X-Token"] = "t1"
        }
    }

    private func tokens(to path: String) -> [String] {
        server.requests(to: path).map { String($0.headers["Authorization"]?.dropFirst(7) ?? "") }
    }

    /// It keeps the content with which it began.
    @Test
    func anUploadThatHasWaitedGoesOutWithTheNewToken() async throws {
        let gate = Gate()
        server.on("/held", StubResponse.json("{}").after(gate))
        let client = client()
        let held = client.get("/held")
        await gate.arrivals(1)
        let upload = client.post("/film") { $0.body(data: Data("film".utf8), contentType: .text).resumesUpload() }
        try await eventually { upload.trace.description.contains("waits for its turn") }
        valid.withLock { $0 = "t2" }
        client.headers["X-Token"] = "t2"
        gate.open()
        for request in [held, upload] { #expect(await request.ended().value != nil) }
        #expect(tokens(to: "/film") == ["t2"])
        #expect(server.requests(to: "/film").map(\.body.text) == ["t1"])
    }

    /// It isn't prepared again, and its refusal is known to be that of the former token.
    @Test
    func theRefusalOfARedirectedRequestIsThatOfTheTokenWithWhichItWasPrepared() async throws {
        let gate = Gate()
        server.on("/go") { request in
            if request.headers["Authorization"] == "Bearer t1" { try await gate.wait() }
            return .redirect(to: "/target")
        }
        let client = client()
        let request = client.get("/go")
        await gate.arrivals(1)
        request.suspend()
        gate.open()
        try await eventually { request.trace.description.contains("redirect") }
        valid.withLock { $0 = "t2" }
        #expect(await client.get("/x").ended().value != nil)
        request.resume()
        #expect(await request.ended().value != nil)
        #expect(client.refreshes.elements == ["t2"])
        #expect(tokens(to: "/target") == ["t1", "t2"])
    }
}
