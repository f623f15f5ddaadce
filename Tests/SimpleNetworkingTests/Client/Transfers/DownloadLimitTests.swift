import Foundation
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworkingCore

/// `maxDownloadSize`, the limit of downloaded files.
@Suite(.timeLimit(.minutes(5)))
struct DownloadLimitTests {
    private let folder = ScratchFolder()
    private let file: URL
    private let request = SimpleNetworking.get("/film.mp4")

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        file = folder.url.appendingPathComponent("film.mp4")
        try Data("old".utf8).write(to: file)
    }

    private var content: String? { try? String(contentsOf: file, encoding: .utf8) }
    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path))?.sorted() ?? []
    }

    private func expectRefusal(limit: Int, by client: SimpleNetworking) async throws {
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client.download(for: request, to: file)
        }
        guard case .tooLarge(limit, _)? = error else { throw Surprise("\(String(describing: error))") }
        #expect("\(try #require(error))".contains("maxDownloadSize"))
        #expect(content == "old" && names == ["film.mp4"])
    }

    @Test(arguments: Engine.allCases, [true, false])
    func aDownloadOverTheLimitFailsAndLeavesNothing(engine: Engine, isAnnounced: Bool) async throws {
        let server = try RawServer { _ in
            isAnnounced
                ? .response(headers: ["ETag": "\"1\""], body: "12345678901")
                : .chunked(["123456", "78901"], headers: ["ETag": "\"1\""])
        }
        try await expectRefusal(limit: 10, by: engine.client(server) { $0.maxDownloadSize = 10 })
        let client = try engine.client(server) { $0.maxDownloadSize = 11 }
        try await client.download(for: request, to: file)
        #expect(content == "12345678901" && names == ["film.mp4"])
    }

    @Test
    func anAnnouncedSizeFailsBeforeAnyContentArrives() async throws {
        let server = try RawServer { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n", end: .silence) }
        try await expectRefusal(limit: 10, by: SimpleNetworking(of: server) { $0.maxDownloadSize = 10 })
    }

    @Test
    func theLimitCountsTheWholeFileOfAResumedDownload() async throws {
        let server = try FileReply.serve(FileReply(cut: 20_000), FileReply())
        await #expect(throws: SimpleNetworkingError.self) {
            try await SimpleNetworking(of: server).download(for: request, to: file)
        }
        #expect(names.contains("film.mp4.partial"))
        try await expectRefusal(limit: 40_000, by: SimpleNetworking(of: server) { $0.maxDownloadSize = 40_000 })
        #expect(server.requests.last?[header: "Range"] == "bytes=20000-")
    }

    @Test
    func aFileOfAnAcceptedErrorIsLimitedToo() async throws {
        let server = try RawServer { _ in .response(status: 404, body: "12345678901") }
        try await expectRefusal(
            limit: 10,
            by: SimpleNetworking(of: server) {
                $0.acceptableStatuses = [404]
                $0.maxDownloadSize = 10
            }
        )
    }

    @Test
    func theLimitIsOffByDefaultAndOfFilesOnly() async throws {
        let server = try RawServer { _ in .response(body: "12345678901") }
        #expect(SimpleNetworking.Configuration().maxDownloadSize == nil)
        try await SimpleNetworking(of: server) { $0.maxResponseSize = 10 }.download(for: request, to: file)
        #expect(content == "12345678901")
        let client = SimpleNetworking(of: server) { $0.maxDownloadSize = 10 }
        #expect(try await client.send(request).text == "12345678901")
        #expect(await client.bytes(for: request).all().error == nil)
    }
}
