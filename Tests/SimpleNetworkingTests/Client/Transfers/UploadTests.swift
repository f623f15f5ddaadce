import Foundation
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworkingCore

/// Files and bytes as the content of typed requests, over sockets.
@Suite(.timeLimit(.minutes(5)))
struct UploadTests {
    private struct Echo: Decodable {
        let method: String
        let length: Int
        let headers: [String]
    }

    @Test
    func uploadedFileReplacesTheRequestsBody() async throws {
        let server = try RawServer { .echo($0) }
        let file = try ScratchFile(Data(count: 300_000))
        let request = Request<Echo>.post("/x", body: "not this", headers: ["X-Tag": "1"])
        let echo = try await SimpleNetworking(of: server).upload(for: request, fromFile: file.url).value
        #expect(echo.method == "POST" && echo.length == 300_000)
        #expect(echo.headers.contains("Content-Type: application/octet-stream") && echo.headers.contains("X-Tag: 1"))
        #expect(echo.headers.contains("Content-Length: 300000"))
    }

    @Test
    func uploadedBytesAreSentUnchangedWithTheRequestsContentType() async throws {
        let server = try RawServer { .echo($0) }
        let request = Request<Echo>.put("/x", headers: ["Content-Type": "image/png"])
        let echo = try await SimpleNetworking(of: server).upload(for: request, from: Data("bytes".utf8)).value
        #expect(echo.length == 5 && echo.headers.contains("Content-Type: image/png"))
        let file = try ScratchFile(Data("file".utf8))
        try await SimpleNetworking(of: server).upload(for: Request<Void>.put("/x"), from: Data("bytes".utf8))
        try await SimpleNetworking(of: server).upload(for: Request<Void>.put("/x"), fromFile: file.url)
        #expect(server.requests.map(\.text) == ["bytes", "bytes", "file"])
    }

    @Test
    func fileIsReadAgainForEachAttempt() async throws {
        let server = try RawServer { $0[header: "Authorization"] == nil ? .unauthorized() : .echo($0) }
        let file = try ScratchFile(Data("content".utf8))
        let client = SimpleNetworking(of: server)
        let upload = client.post("/x") {
            $0.body(file: file.url, contentType: .text).on(isolation: nil, httpStatus: 401) { request, _ in
                client.headers["Authorization"] = "Bearer t"
                request.retry()
                return false
            }
        }
        #expect(await upload.ended().value?.attempt == 2)
        #expect(server.requests.map(\.text) == ["content", "content"])
    }

    @Test
    func uploadOfAMissingFileFails() async throws {
        let server = try RawServer { .echo($0) }
        let missing = FileManager.default.temporaryDirectory.appendingPathComponent("is-not-there")
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await SimpleNetworking(of: server).upload(for: Request<Void>.post("/x"), fromFile: missing)
        }
        guard case .networkingError(let failure, _)? = error else { throw "\(String(describing: error))".asError }
        #expect(failure.kind == .unreadableBody && server.requests.isEmpty)
    }

    @Test
    func uploadReportsItsProgress() async throws {
        let server = try RawServer { _ in .response() }
        let file = try ScratchFile(Data(count: 3_000_000))
        let seen = Recorder<TransferProgress>()
        let request = SimpleNetworking(of: server).post("/x") {
            $0.body(file: file.url, contentType: .octetStream).on(isolation: nil, progress: { seen.add($0) })
        }
        await request.ended()
        let end = try #require(seen.elements.last)
        #expect(end.bytesSent == 3_000_000 && end.fractionSent == 1)
        let sent = seen.elements.map(\.bytesSent)
        #expect(sent == sent.sorted() && seen.elements.allSatisfy { $0.bytesToSend == 3_000_000 })
    }

    @Test
    func slowUploadIsNotEndedByTheClientsTimeout() async throws {
        let server = try RawServer { _ in .drip("0123456789", every: 0.25) }
        let file = try ScratchFile(Data("content".utf8))
        let client = SimpleNetworking(of: server) { $0.timeout = 2 }
        let text = try await client.upload(for: Request<String>.post("/x"), fromFile: file.url).value
        #expect(text == "0123456789")
    }
}
