import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

/// How often and how late an interrupted upload is resumed, and what ends it, over a stub.
@Suite(.timeLimit(.minutes(5)))
struct UploadInterruptionTests {
    private let server = StubTransport().on(.post, "/films", .cut(offering: "/7"), times: 1)

    private func failure(of request: SimpleRequest) async throws -> NetworkFailure {
        let client = server.resumingClient()
        let error = await #expect(throws: SimpleNetworkingError.self) { try await client.send(request) }
        guard case .networkingError(let failure, _)? = error else { throw Surprise("\(String(describing: error))") }
        return failure
    }

    @Test
    func itWaitsLongerAfterEachInterruptionUntilThereIsProgress() async throws {
        let clock = VirtualClock()
        let offsets = Locked([1, 1, 1, 8, 8, 8])
        server
            .on(.head, "/7") { _ in .state(offsets.withLock { $0.removeFirst() }) }
            .on(.patch, "/7", .failure(.connectionLost), times: 5)
            .on(.patch, "/7", .status(201))
        let client = server.resumingClient {
            $0.clock = clock
            $0.retryPolicy.backoff = .exponential(base: 1, factor: 2, cap: 100, jitters: false)
        }
        let request = SimpleRequest.film().execute(on: client)
        let (value, times) = await clock.advancing(to: .retry) { await request.ended().value }
        #expect(value?.httpStatus == 201)
        #expect(times == [1, 2, 4, 8, 9, 11])
    }

    @Test
    func itFailsAfterFiveFurtherInterruptionsWithoutProgress() async throws {
        server.on(.head, "/7", .state(4)).on(.patch, "/7", .failure(.connectionLost))
        #expect(try await failure(of: SimpleRequest.film()).kind == .connectionLost)
        #expect(server.requests.count { $0.method == .patch } == 6)
    }

    @Test
    func retryAfterTheEndResumesTheUpload() async throws {
        server
            .on(.head, "/7", .state(4))
            .on(.patch, "/7", .failure(.connectionLost), times: 6)
            .on(.patch, "/7", .status(201))
        let client = server.resumingClient()
        let request = SimpleRequest.film().execute(on: client)
        #expect(await request.ended().error != nil)
        request.retry()
        #expect(await request.ended().value?.httpStatus == 201)
        #expect(server.requests.count { $0.method == .post } == 1)
    }

    @Test
    func onlyTheResponseToTheRestIsDownloaded() async throws {
        let file = try ScratchFile()
        server.on(.head, "/7") { [url = file.url] _ in
            #expect(!FileManager.default.fileExists(atPath: url.path))
            return .state(4)
        }
        server.on(.patch, "/7", .text("done"))
        try await server.resumingClient().download(for: SimpleRequest.film(), to: file.url)
        #expect(file.content == Data("done".utf8))
    }

    @Test
    func itDoesNotWaitBeyondTheDeadline() async throws {
        let clock = VirtualClock()
        let client = server.resumingClient {
            $0.clock = clock
            $0.retryPolicy.backoff = .constant(20)
        }
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client.send(SimpleRequest.film().deadline(10))
        }
        guard case .networkingError? = error else { throw Surprise("\(String(describing: error))") }
        #expect(clock.now == 0 && server.log == ["POST /films"])
    }

    @Test
    func lostResponseToACompleteUploadIsAskedForOnce() async throws {
        server.on(.head, "/7", .state(10)).on(.patch, "/7", .json("{}", status: 201))
        #expect(try await server.resumingClient().send(SimpleRequest.film()).text == "{}")
        #expect(server.requests.last?.body.text == "")
    }

    @Test(arguments: [400, 404, 405, 409, 422])
    func uploadFailsIfItsResponseIsLostForGood(status: Int) async throws {
        server.on(.head, "/7", .state(10)).on(.patch, "/7", .status(status))
        let failure = try await failure(of: SimpleRequest.film())
        #expect(failure.kind == .connectionLost && failure.detail?.contains("it has the whole upload") == true)
        #expect(server.log == ["POST /films", "HEAD /7", "PATCH /7"])
    }

    @Test
    func uploadThatTheServerHasForgottenStartsOverOnlyIfThatIsSafe() async throws {
        server.on(.put, "/films", .replies(.cut(offering: "/7"), .status(201))).on(.head, "/7", .status(404))
        let failure = try await failure(of: SimpleRequest.film())
        #expect(failure.kind == .connectionLost && server.log == ["POST /films", "HEAD /7"])
        #expect(try await server.resumingClient().send(SimpleRequest.film(.put)).httpStatus == 201)
        #expect(server.requests.last?.body.text == "0123456789")
    }

    @Test
    func errorOfAServerWithAPartIsAnInterruptionAndWithTheWholeTheResponse() async throws {
        server
            .on(.head, "/7", .replies(.status(503), .state(4), .state(10)))
            .on(.patch, "/7", .status(502))
        let client = server.resumingClient()
        let error = await #expect(throws: SimpleNetworkingError.self) { try await client.send(SimpleRequest.film()) }
        #expect(error?.httpStatus == 502 && server.requests.count { $0.method == .patch } == 1)
    }

    @Test(arguments: [503, 201])
    func withoutInterimResponsesALaterResponseNamesTheURL(status: Int) async throws {
        let fields: HTTPHeaders = [
            "Upload-Draft-Interop-Version": "6", "Location": "/8", "Upload-Complete": "?0", "Upload-Offset": "4",
        ]
        server
            .on(.put, "/films", .status(status, headers: fields))
            .on(.head, "/8", .state(4))
            .on(.patch, "/8", .status(204))
        #expect(try await server.resumingClient().send(SimpleRequest.film(.put)).httpStatus == 204)
        #expect(server.requests.last?.body.text == "456789")
    }

    @Test(arguments: [301, 307])
    func redirectOfTheUploadsURLEndsIt(status: Int) async throws {
        server.on(.head, "/7", .redirect(to: "/8", status: status))
        #expect(try await failure(of: SimpleRequest.film()).kind == .malformedResponse)
        #expect(server.log == ["POST /films", "HEAD /7"])
    }

    @Test
    func unfitRequestFieldsStayWithTheFirstRequest() async throws {
        server.on(.head, "/7", .state(4)).on(.patch, "/7", .status(201))
        let fields = ["Content-Digest": "x", "If-Match": "\"1\"", "Content-Disposition": "inline", "X-Tag": "1"]
        _ = try await server.resumingClient().send(SimpleRequest.film().headers(fields).idempotent(key: "k"))
        let names = ["Content-Digest", "If-Match", "Content-Disposition", "Idempotency-Key"]
        #expect(names.allSatisfy { server.requests[0].headers.contains($0) })
        for sent in server.requests.dropFirst() {
            #expect(names.allSatisfy { !sent.headers.contains($0) } && sent.headers["X-Tag"] == "1")
        }
    }

    @Test
    func resumedUploadInvalidatesTheStoredResponseOfItsTarget() async throws {
        server
            .on(.get, "/films", .json("[]", headers: ["Cache-Control": "max-age=600"]))
            .on(.head, "/7", .state(4))
            .on(.patch, "/7", .status(201))
        let client = server.resumingClient { $0.cache = ResponseCache() }
        for _ in 1...2 { _ = try await client.send(SimpleNetworking.get("/films")) }
        #expect(server.requests(to: "/films").count == 1)
        _ = try await client.send(SimpleRequest.film())
        _ = try await client.send(SimpleNetworking.get("/films"))
        #expect(server.requests(to: "/films").map(\.method) == [.get, .post, .get])
    }

    @Test
    func fileIsReadFromTheByteThatTheServerNeeds() async throws {
        let file = try ScratchFile(.film)
        server.on(.head, "/7", .state(4)).on(.patch, "/7") { request in
            guard case .stream(6?, let make) = request.body, let stream = make() else { return .status(400) }
            stream.open()
            var bytes = [UInt8](repeating: 0, count: 20)
            let count = stream.read(&bytes, maxLength: 20)
            return .text(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
        }
        let request = SimpleNetworking.post("/films").body(file: file.url, contentType: .text).resumesUpload()
        #expect(try await server.resumingClient().send(request).text == "456789")
    }
}
