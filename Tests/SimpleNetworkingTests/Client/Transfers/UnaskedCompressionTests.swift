import Foundation
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Content that is compressed even though the request did not accept that.
@Suite(.timeLimit(.minutes(5)))
struct UnaskedCompressionTests {
    private let folder = ScratchFolder()
    private let file: URL

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        file = folder.url.appendingPathComponent("film.mp4")
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? [] }

    private func client(_ server: RawServer, usesURLSession: Bool) -> SimpleNetworking {
        SimpleNetworking(of: server) {
            $0.maxResponseSize = 1 << 20
            if usesURLSession { $0.sessionDelegate = RecordingDelegate() }
        }
    }

    private func bomb(_ coding: String) throws -> RawServer {
        let bomb = try #require(Bomb.compressedZeros(megabytes: 3), "gzip is needed")
        return try RawServer { _ in .response(headers: ["Content-Encoding": coding, "ETag": "\"1\""], data: bomb) }
    }

    private func count(_ bytes: ResponseBytes) async throws -> Int {
        var count = 0
        for try await piece in bytes { count += piece.count }
        return count
    }

    @Test(arguments: [false, true], ["gzip", "X-GZIP"])
    func downloadFailsAtTheLimitAndLeavesNoFile(usesURLSession: Bool, coding: String) async throws {
        let server = try bomb(coding)
        let client = client(server, usesURLSession: usesURLSession)
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client.download(for: SimpleNetworking.get("/x"), to: file)
        }
        guard case .tooLarge(1_048_576, _)? = error else { throw "\(String(describing: error))".asError }
        #expect(names == [])
    }

    @Test(arguments: [false, true], ["identity", "br, gzip;q=0", ""])
    func streamFailsAtTheLimit(usesURLSession: Bool, accepted: String) async throws {
        let server = try bomb("gzip")
        let client = client(server, usesURLSession: usesURLSession)
        let request = SimpleNetworking.get("/x").header("Accept-Encoding", accepted)
        let error = await #expect(throws: SimpleNetworkingError.self) { try await count(client.bytes(for: request)) }
        guard case .tooLarge(1_048_576, _)? = error else { throw "\(String(describing: error))".asError }
    }

    @Test(arguments: [false, true])
    func requestedCompressionHasNoLimit(usesURLSession: Bool) async throws {
        let server = try bomb("gzip")
        let client = client(server, usesURLSession: usesURLSession)
        #expect(try await count(client.bytes(for: SimpleNetworking.get("/x"))) == 3_000_000)
        for accepted in ["deflate, GZIP;q=0.5", "x-gzip", "*"] {
            let request = SimpleNetworking.get("/x").header("Accept-Encoding", accepted)
            try await client.download(for: request, to: file)
            #expect(try Data(contentsOf: file).count == 3_000_000)
        }
    }

    @Test(arguments: ["identity", ""])
    func contentThatIsNotCompressedHasNoLimit(coding: String) async throws {
        let server = try RawServer { _ in
            .response(headers: ["Content-Encoding": coding], data: Data(count: 3_000_000))
        }
        try await client(server, usesURLSession: false).download(for: SimpleNetworking.get("/x"), to: file)
        #expect(try Data(contentsOf: file).count == 3_000_000)
    }
}
