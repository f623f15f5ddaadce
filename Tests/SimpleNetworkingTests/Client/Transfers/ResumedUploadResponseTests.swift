import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking

/// Resumable uploads whose response is interrupted, and is then repeated by the server.
@Suite(.timeLimit(.minutes(5)))
struct ResumedUploadResponseTests {
    private let offer: HTTPHeaders = ["Upload-Draft-Interop-Version": "6", "Location": "/7"]

    private func server(
        _ first: StubResponse,
        _ state: StubResponse = .state(10),
        then last: StubResponse
    )
        -> StubTransport
    {
        StubTransport().on(.post, "/films", first.afterInterim(104, headers: offer))
            .on(.head, "/7", state)
            .on(.patch, "/7", last)
    }

    @Test(arguments: [200, 201])
    func theRepeatedResponseIsTheFile(status: Int) async throws {
        let file = try ScratchFile(Data("old".utf8))
        let fields: HTTPHeaders = ["ETag": "\"1\""]
        let server = server(
            .text("converted", status: 200, headers: fields).cut(after: 4),
            then: .text("whole", status: status, headers: fields)
        )
        let seen = Recorder<TransferProgress>()
        let request = SimpleRequest.film().on(isolation: nil, progress: { seen.add($0) })
        let response = try await server.resumingClient().download(for: request, to: file.url)
        #expect(response.statusCode == status && file.content == Data("whole".utf8))
        #expect(server.log == ["POST /films", "HEAD /7", "PATCH /7"])
        let last = seen.elements.last
        #expect(last?.bytesReceived == 5 && last?.fractionReceived == 1 && last?.bytesSent == 10)
        #expect(seen.elements.allSatisfy { $0.bytesReceived <= 9 && $0.bytesSent <= 10 })
    }

    #if os(Linux)
        /// URLSession reports no interim response, and so no offer.
        @Test
        func overASocketTheRepeatedResponseIsTheFile() async throws {
            let file = try ScratchFile()
            let server = try RawServer { request in
                switch request.method {
                case "POST":
                    let offer = "HTTP/1.1 104 Upload\r\nUpload-Draft-Interop-Version: 6\r\nLocation: /7\r\n\r\n"
                    return .raw(offer + "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nconv")
                case "HEAD": return .response(status: 204, headers: ["Upload-Offset": "10", "Upload-Complete": "?1"])
                default: return .response(body: "converted")
                }
            }
            let client = SimpleNetworking(of: server) { $0.retryPolicy = .withoutDelay }
            try await client.download(for: SimpleRequest.film(), to: file.url)
            #expect(file.content == Data("converted".utf8))
            #expect(server.requests.map(\.method) == ["POST", "HEAD", "PATCH"])
        }
    #endif

    @Test
    func severalInterruptedResponsesLeaveNothingInTheFile() async throws {
        let file = try ScratchFile()
        let server = server(
            .text("converted").cut(after: 4),
            then: .replies(.text("converted").cut(after: 7), .text("converted").cut(after: 1), .text("converted"))
        )
        try await server.resumingClient().download(for: SimpleRequest.film(), to: file.url)
        #expect(file.content == Data("converted".utf8))
        #expect(!FileManager.default.fileExists(atPath: file.url.appendingPathExtension("partial").path))
    }

    @Test(arguments: [422, 503, 401])
    func anErrorAfterAnInterruptedResponseLeavesTheFile(status: Int) async throws {
        let file = try ScratchFile(Data("old".utf8))
        let server = server(.text("converted").cut(after: 4), then: .status(status))
        await #expect(throws: SimpleNetworkingError.self) {
            try await server.resumingClient().download(for: SimpleRequest.film(), to: file.url)
        }
        #expect(file.content == Data("old".utf8))
        #expect(!FileManager.default.fileExists(atPath: file.url.appendingPathExtension("partial").path))
    }

    @Test
    func aPartOfTheResponseToAnUploadIsNotResumedAsADownload() async throws {
        let file = try ScratchFile()
        let stub = StubTransport()
            .on(.post, "/films", .text("posted", headers: ["ETag": "\"1\""]).cut(after: 4))
            .on(.get, "/films", .text("got"))
        let client = stub.resumingClient()
        await #expect(throws: SimpleNetworkingError.self) {
            try await client.download(for: SimpleNetworking.post("/films"), to: file.url)
        }
        try await client.download(for: SimpleNetworking.get("/films"), to: file.url)
        #expect(file.content == Data("got".utf8) && stub.requests.last?.headers["Range"] == nil)
    }

    @Test(arguments: [true, false])
    func aReaderThatHasAPartGetsAnErrorAndNoOtherPart(isEvents: Bool) async throws {
        let server = server(
            isEvents ? .events("a", "b").cut(after: 9) : .text("converted").cut(after: 4),
            then: isEvents ? .events("a", "b") : .text("converted")
        )
        let client = server.resumingClient()
        let (count, error): (Int, (any Error)?)
        if isEvents {
            let events = await client.events(for: SimpleRequest.film()).all()
            (count, error) = (events.elements.count, events.error)
        } else {
            let pieces = await client.bytes(for: SimpleRequest.film()).all()
            (count, error) = (pieces.elements.reduce(0) { $0 + $1.count } / 4, pieces.error)
        }
        guard case SimpleNetworkingError.invalidRequest(let reason, _)? = error else {
            throw Surprise("\(String(describing: error))")
        }
        #expect(count == 1 && reason.contains("handed over already"))
        #expect(!server.log.contains("PATCH /7"))
    }

    @Test
    func aReaderThatHasNothingYetGetsTheRepeatedResponse() async throws {
        let server = server(.failure(.connectionLost), then: .text("converted"))
        let pieces = await server.resumingClient().bytes(for: SimpleRequest.film()).all()
        #expect(pieces.elements == [Data("converted".utf8)] && pieces.error == nil)
    }
}
