import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

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

    /// A `Location` is relative to its own request's URL (RFC 9110 §10.2.2).
    @Test(arguments: [true, false], ["result", "?done", "/uploads/7/result", "//api.example.com/uploads/7/result"])
    func theResponseToTheRestRedirectsRelativeToTheUploadsURL(isHooked: Bool, location: String) async throws {
        final class Hooked: SimpleNetworking, @unchecked Sendable {}
        let server = StubTransport().on(.post, "/films", .cut(offering: "/uploads/7/data"))
            .on(.head, "/uploads/7/data", .state(2))
            .on(.patch, "/uploads/7/data", .status(303, headers: ["Location": location]))
            .on(.get, "*", .json("{}"))
        let client =
            isHooked
            ? Hooked(over: server) { $0.retryPolicy = .withoutDelay }
            : server.resumingClient()
        #expect(await SimpleRequest.film().execute(on: client).ended().value != nil)
        let place = location == "?done" ? "data?done" : "result"
        #expect(server.requests.last?.method == .get)
        #expect(server.requests.last?.url.absoluteString == "https://api.example.com/uploads/7/\(place)")
    }

    @Test
    func aRedirectThatIsNotFollowedIsAsTheServerSentIt() async {
        let server = StubTransport().on(.post, "/films", .cut(offering: "/uploads/7/data"))
            .on(.head, "/uploads/7/data", .state(2))
            .on(.patch, "/uploads/7/data", .status(303, headers: ["Location": "result"]))
        let client = server.resumingClient { $0.redirectPolicy = .never }
        let response = await SimpleRequest.film().execute(on: client).ended().error?.response
        #expect(response?.httpStatus == 303 && response?.headers["Location"] == "result")
    }

    /// A key in the query is part of the URL under which a response is stored.
    @Test(arguments: [true, false])
    func aResumedUploadRemovesWhatIsStoredForItsURLAsItIsSigned(isSigned: Bool) async {
        struct QueryKey: Authenticator {
            func credential() async throws -> String? { "k" }
            func sign(_ request: inout TransportRequest, with credential: String) {
                guard let url = URL(string: request.url.absoluteString + "?key=" + credential) else { return }
                request.url = url
            }
        }
        let fresh: HTTPHeaders = ["Cache-Control": "max-age=600"]
        let server = server(.failure(.connectionLost), .state(2), then: .status(201))
            .on(.get, "/films", .replies(.text("old", headers: fresh), .text("new", headers: fresh)))
        let client = server.resumingClient {
            $0.cache = ResponseCache()
            if isSigned { $0.authenticator = QueryKey() }
        }
        #expect(await client.get("/films").ended().value?.text == "old")
        #expect(await SimpleRequest.film().execute(on: client).ended().value != nil)
        #expect(await client.get("/films").ended().value?.text == "new")
    }

    @Test
    func aReaderThatHasNothingYetGetsTheRepeatedResponse() async throws {
        let server = server(.failure(.connectionLost), then: .text("converted"))
        let pieces = await server.resumingClient().bytes(for: SimpleRequest.film()).all()
        #expect(pieces.elements == [Data("converted".utf8)] && pieces.error == nil)
    }
}
