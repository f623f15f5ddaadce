import Foundation
import SimpleNetworking
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

/// Failures that a cassette replays: the requests count as sent, as they did when they were recorded.
@Suite(.timeLimit(.minutes(1)))
struct CassetteFailureTests {
    private let file = ScratchFolder().url.appendingPathExtension("json")

    /// Records a session over a stub, and replays it without one.
    private func expectReplay(of server: StubTransport, _ session: (Cassette, StubTransport) async -> [String]) async {
        let recorded = await session(Cassette(file, mode: .auto), server)
        let replayed = await session(Cassette(file, mode: .auto), StubTransport())
        #expect(recorded == replayed)
        try? FileManager.default.removeItem(at: file)
    }

    @Test
    func theReaderOfARedirectedStreamThatIsCutSeesTheRequestAsItWasSent() async {
        let server = StubTransport().on("/a", .redirect(to: "/b")).on("/b", .pieces("one", "two").cut(after: 4))
        await expectReplay(of: server) { cassette, transport in
            let client = SimpleNetworking(over: transport, through: [cassette])
            var iterator = client.bytes(for: SimpleNetworking.get("/a")).makeAsyncIterator()
            let path = (try? await iterator.head())?.request.url.path
            // A stream that is left is cancelled, and not recorded.
            while (try? await iterator.next()) ?? nil != nil {}
            return [path ?? "none", path == "/b" ? "as sent" : "as asked for"]
        }
    }

    private final class Posting: SimpleNetworking, @unchecked Sendable {
        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            attempt.method = .post
        }
    }

    @Test
    func aPostThatMayHaveBeenCarriedOutIsNotRetried() async {
        let server = StubTransport().on("/a", .failure(.connectionLost))
        await expectReplay(of: server) { cassette, transport in
            let client = Posting(over: transport, through: [cassette]) {
                $0.retryPolicy = RetryPolicy(attempts: 3, backoff: .constant(0))
            }
            let request = client.get("/a")
            let error = await request.ended().error
            return ["\(request.attempt)", "\((error?.underlyingFailure).map(String.init(describing:)) ?? "none")"]
        }
    }
}

extension SimpleNetworkingError {
    fileprivate var underlyingFailure: NetworkFailure.Kind? {
        if case .networkingError(let failure, _) = self { failure.kind } else { nil }
    }
}
