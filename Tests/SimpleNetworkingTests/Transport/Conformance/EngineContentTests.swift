import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

@Suite("Every engine: content to receive", .serialized, .timeLimit(.minutes(5)))
struct EngineContentTests {
    @Test(arguments: Engine.allCases)
    func contentIsDecompressed(engine: Engine) async throws {
        let server = try RawServer { _ in .response(headers: ["Content-Encoding": "gzip"], data: Gzip.hello) }
        let response = try await engine.transport().get(server.url())
        #expect(response.text == "hello hello")
        #expect(response.metrics.bytesReceived == Gzip.hello.count)
        #expect(server.requests.first?[header: "Accept-Encoding"]?.contains("gzip") == true)
    }

    @Test(arguments: Engine.allCases, [(10, "tooLarge"), (11, "200")])
    func theLimitCountsWhatIsDecompressed(engine: Engine, limit: (size: Int, end: String)) async throws {
        let server = try RawServer { _ in .response(headers: ["Content-Encoding": "gzip"], data: Gzip.hello) }
        let end = try await engine.transport().end(of: server.url()) { $0.maxResponseSize = limit.size }
        #expect(end == limit.end)
    }

    @Test(arguments: Engine.allCases)
    func aDecompressionBombEndsAtTheLimit(engine: Engine) async throws {
        let bomb = try #require(Bomb.compressedZeros(megabytes: 30), "gzip is needed")
        let server = try RawServer { _ in .response(headers: ["Content-Encoding": "gzip"], data: bomb) }
        #expect(try await engine.transport().end(of: server.url()) { $0.maxResponseSize = 1 << 20 } == "tooLarge")
    }

    @Test(arguments: Engine.allCases, ["/", "/chunked"])
    func contentMayBeAsLargeAsTheLimitAndNoLarger(engine: Engine, path: String) async throws {
        let server = try RawServer {
            $0.path == "/chunked" ? .chunked(["12345", "67890"]) : .response(body: "1234567890")
        }
        let transport = try engine.transport()
        for (limit, end) in [(9, "tooLarge"), (10, "200"), (11, "200")] {
            #expect(await transport.end(of: server.url(path)) { $0.maxResponseSize = limit } == end)
        }
    }

    @Test(arguments: Engine.allCases)
    func endlessContentEndsAtTheLimitOrTheTimeout(engine: Engine) async throws {
        let server = try RawServer { _ in .endless }
        let isUnseen = engine.lacks(.limitWhileReceiving)
        let client = try engine.client(server) {
            $0.maxResponseSize = 1 << 20
            $0.timeout = isUnseen ? 0.4 : 60
        }
        let error = try await withinSeconds(120) { await client.get("/").ended().error }
        #expect(error.map(name(of:)) == (isUnseen ? "timedOut" : "tooLarge"))
        await server.wait { $0.closed == $0.opened }
    }

    @Test(arguments: Engine.allCases, [0, 1, 14, 15, 32 << 10, (32 << 10) + 1, 5_000_000])
    func contentOfAnySizeArrivesComplete(engine: Engine, size: Int) async throws {
        let text = String(repeating: "0123456789abcdef", count: size / 16 + 1).prefix(size)
        let server = try RawServer {
            $0.path == "/chunked" ? .chunked(text.isEmpty ? [] : [String(text)]) : .response(body: String(text))
        }
        let transport = try engine.transport()
        for path in ["/", "/chunked", "/"] {
            #expect(try await transport.get(server.url(path)).data == Data(text.utf8))
        }
    }

    @Test(arguments: Engine.allCases)
    func contentInManySmallPiecesArrivesComplete(engine: Engine) async throws {
        let server = try RawServer { _ in .drip("drop by drop", every: 0.01) }
        #expect(try await engine.transport().get(server.url()).text == "drop by drop")
    }
}
