import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

/// Uploads that a server offers to resume, over a stub.
@Suite(.timeLimit(.minutes(5)))
struct ResumedUploadTests {
    private let server = StubTransport()
    private let client: SimpleNetworking

    init() { client = server.resumingClient() }

    @Test(arguments: [UploadDraft.interop3, .interop5, .interop6])
    func interruptedUploadSendsOnlyTheRest(draft: UploadDraft) async throws {
        server
            .on(.post, "/films", .cut(offering: "/uploads/7", draft), times: 1)
            .on(.head, "/uploads/7", .state(4, draft), times: 1)
            .on(.patch, "/uploads/7", .json(#"{"id": 7}"#, status: 201), times: 1)
        let response = try await client.send(SimpleRequest.film(draft: draft))
        #expect(response.httpStatus == 201 && response.text == #"{"id": 7}"#)
        let (first, state, rest) = (server.requests[0], server.requests[1], server.requests[2])
        #expect(
            server.requests.map { $0.headers["Upload-Draft-Interop-Version"] }
                == Array(repeating: "\(draft.version)", count: 3)
        )
        let end = draft == .interop3 ? ["Upload-Incomplete", "?0"] : ["Upload-Complete", "?1"]
        #expect(first.headers[end[0]] == end[1] && rest.headers[end[0]] == end[1])
        #expect(first.headers["Upload-Offset"] == nil && rest.headers["Upload-Offset"] == "4")
        #expect(first.headers["Upload-Length"] == (draft == .interop6 ? "10" : nil))
        #expect(rest.headers["Content-Type"] == (draft == .interop6 ? "application/partial-upload" : nil))
        #expect(["Upload-Offset", "Upload-Complete", "Upload-Incomplete"].allSatisfy { state.headers[$0] == nil })
        #expect(first.body.text == "0123456789" && rest.body.text == "456789")
    }

    @Test
    func eachHandlerRunsOnceWithTheResponseToTheRest() async throws {
        server
            .on(.post, "/films", .cut(offering: "/uploads/7"))
            .on(.head, "/uploads/7", .state(4))
            .on(.patch, "/uploads/7", .status(201))
        let request = SimpleRequest.film()
            .on(success: { _ in })
            .on(httpStatus: 201) { _, _ in true }
            .execute(on: client)
        #expect(await request.ended().value?.httpStatus == 201)
        try expectOrder(of: request, [.status(201), .success, .completion])
        #expect(request.trace.description.contains("upload resumes from byte 4"))
    }

    @Test(arguments: [nil, UploadDraft.interop5])
    func withoutAnOfferInItsDraftTheUploadIsAnOrdinaryOne(offer: UploadDraft?) async throws {
        let reply = offer.map { .cut(offering: "/uploads/7", $0) } ?? StubResponse.failure(.connectionLost)
        server.on(.post, "/films", reply, times: 1).on(.post, "/films", .status(201))
        let error = await #expect(throws: SimpleNetworkingError.self) { try await client.send(SimpleRequest.film()) }
        guard case .networkingError(let failure, _)? = error else { throw Surprise("\(String(describing: error))") }
        #expect(failure.kind == .connectionLost && server.log == ["POST /films"])
        #expect(try await client.send(SimpleRequest.film()).httpStatus == 201)
    }

    @Test
    func severalInterruptionsResumeFromWhereTheServerIs() async throws {
        let offsets = Locked([2, 5, 10])
        server
            .on(.post, "/films", .cut(offering: "/uploads/7"))
            .on(.head, "/uploads/7") { _ in .state(offsets.withLock { $0.removeFirst() }) }
            .on(.patch, "/uploads/7") { $0.body.text == "" ? .status(204) : .failure(.connectionLost) }
        #expect(try await client.send(SimpleRequest.film()).httpStatus == 204)
        #expect(
            server.requests(to: "/uploads/7").filter { $0.method == .patch }.map(\.body.text) == [
                "23456789", "56789", "",
            ]
        )
    }

    @Test(arguments: [
        ["Upload-Offset": "3", "Upload-Complete": "?0"], ["Upload-Offset": "11", "Upload-Complete": "?0"],
        ["Upload-Offset": "9", "Upload-Complete": "?1"], ["Upload-Offset": "-1", "Upload-Complete": "?0"],
        ["Upload-Offset": "x", "Upload-Complete": "?0"], ["Upload-Complete": "?0"], ["Upload-Offset": "5"],
    ])
    func uploadEndsIfTheServerContradictsItself(fields: [String: String]) async throws {
        server
            .on(.post, "/films", .cut(offering: "/uploads/7"))
            .on(.head, "/uploads/7", .replies(.state(4), .status(204, headers: HTTPHeaders(fields))))
            .on(.patch, "/uploads/7", .failure(.connectionLost))
            .on(.delete, "/uploads/7", .status(204))
        let error = await #expect(throws: SimpleNetworkingError.self) { try await client.send(SimpleRequest.film()) }
        guard case .networkingError(let failure, _)? = error else { throw Surprise("\(String(describing: error))") }
        #expect(failure.kind == .malformedResponse)
        let last = "/uploads/7"
        #expect(server.log == ["POST /films", "HEAD \(last)", "PATCH \(last)", "HEAD \(last)", "DELETE \(last)"])
    }

    @Test
    func onlyTrustedOriginsReceiveTheCredentialsWithTheRest() async throws {
        let trusted = try #require(Origin("https://trusted.example.org"))
        for (location, isTrusted) in [
            ("//uploads.example.org/7", false), ("https://api.example.com/uploads/7", true),
            ("https://trusted.example.org/7", true),
        ] {
            let server = StubTransport()
                .on(.post, "//api.example.com", .cut(offering: location))
                .on(.head, "*", .state(4))
                .on(.patch, "*", .status(201))
            let client = server.resumingClient {
                $0.trustedOrigins = [trusted]
            }
            let request = SimpleRequest.film().authenticate(withHeader: "Bearer secret").header("X-Key", "secret")
            #expect(try await client.send(request.header("Accept-Language", "cs")).httpStatus == 201)
            for sent in server.requests.dropFirst() {
                #expect(
                    (sent.headers["Authorization"] != nil) == isTrusted && (sent.headers["X-Key"] != nil) == isTrusted
                )
                #expect(sent.headers["Accept-Language"] == "cs")
            }
            #expect(server.requests.count == 3)
        }
    }

    @Test(arguments: [
        "http://api.example.com/7", "ftp://api.example.com/7", "https://", "https://u:p@api.example.com/7",
    ])
    func unusableURLOfAnUploadIsIgnored(location: String) async throws {
        server.on(.post, "/films", .cut(offering: location))
        await #expect(throws: SimpleNetworkingError.self) { try await client.send(SimpleRequest.film()) }
        #expect(server.log == ["POST /films"])
    }

    @Test(arguments: [HTTPMethod.head, .patch])
    func rejectedCredentialIsRefreshedAndTheUploadResumed(method: HTTPMethod) async throws {
        let bearer = BearerAuthenticator(token: Secret("old")) { _ in Secret("new") }
        server
            .on(.post, "/films", .cut(offering: "/uploads/7"), times: 1)
            .on(method, "/uploads/7", where: [.header("Authorization", "Bearer old")], .status(401), times: 1)
            .on(.head, "/uploads/7", .state(4))
            .on(.patch, "/uploads/7", .status(201))
        let client = server.resumingClient {
            $0.authenticator = bearer
        }
        #expect(try await client.send(SimpleRequest.film()).httpStatus == 201)
        #expect(server.requests.last?.body.text == "456789")
        #expect(server.requests.last?.headers["Authorization"] == "Bearer new")
    }

    @Test
    func retryOfAStatusHandlerResumesTheUpload() async throws {
        server
            .on(.post, "/films", .cut(offering: "/uploads/7"), times: 1)
            .on(.head, "/uploads/7", .replies(.state(4), .state(6)))
            .on(.patch, "/uploads/7", .replies(.status(429), .status(201)))
        let request = SimpleRequest.film().on(isolation: nil, httpStatus: 429) { request, _ in
            request.retry()
            return false
        }
        request.execute(on: client)
        #expect(await request.ended().value?.httpStatus == 201)
        #expect(server.requests.last?.body.text == "6789")
    }

    @Test
    func streamsCannotBeResumed() async throws {
        let chunks = BodyChunks { AsyncStream<Data> { $0.finish() } }
        let request = SimpleNetworking.post("/films").body(chunks: chunks, contentType: .text).resumesUpload()
        let error = await #expect(throws: SimpleNetworkingError.self) { try await client.send(request) }
        guard case .invalidRequest? = error else { throw Surprise("\(String(describing: error))") }
        #expect(server.requests.isEmpty)
    }

    @Test
    func progressCountsTheWholeContent() async throws {
        server
            .on(.post, "/films", .cut(offering: "/uploads/7"))
            .on(.head, "/uploads/7", .state(4))
            .on(.patch, "/uploads/7", .pieces("a", "b"))
        let seen = Recorder<TransferProgress>()
        _ = try await client.send(SimpleRequest.film().on(isolation: nil, progress: { seen.add($0) }))
        #expect(seen.elements.last?.bytesSent == 10 && seen.elements.last?.bytesToSend == 10)
    }
}

// MARK: What resumed uploads exchange

extension SimpleRequest {
    /// An upload of ten bytes that may be resumed.
    static func film(_ method: HTTPMethod = .post, draft: UploadDraft = .interop6) -> SimpleRequest {
        SimpleRequest(method, path: "/films").body(data: .film, contentType: .text).resumesUpload(draft: draft)
    }
}

extension StubTransport {
    /// A client that resumes uploads at once.
    func resumingClient(
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) -> SimpleNetworking {
        SimpleNetworking(over: self) {
            $0.retryPolicy = .withoutDelay
            configure(&$0)
        }
    }
}

extension Data {
    static let film = Data("0123456789".utf8)
}

extension RequestBody {
    /// The content as text; nil if it isn't data.
    var text: String? {
        switch self {
        case .data(let data): String(decoding: data, as: UTF8.self)
        default: nil
        }
    }
}

extension RetryPolicy {
    /// One attempt, whose interrupted upload resumes without delay.
    static let withoutDelay = RetryPolicy(attempts: 1, backoff: .constant(0))
}

extension StubResponse {
    /// Names the URL of an upload, and cuts the connection.
    static func cut(offering location: String, _ draft: UploadDraft = .interop6) -> StubResponse {
        let fields: HTTPHeaders = ["Upload-Draft-Interop-Version": "\(draft.version)", "Location": location]
        return .failure(.connectionLost).afterInterim(104, headers: fields)
    }

    /// Responds with how much of a ten-byte upload has arrived.
    static func state(_ offset: Int, _ draft: UploadDraft = .interop6, isComplete: Bool? = nil) -> StubResponse {
        let isComplete = isComplete ?? (offset == 10)
        let flag = draft == .interop3 ? !isComplete : isComplete
        let name = draft == .interop3 ? "Upload-Incomplete" : "Upload-Complete"
        return .status(204, headers: ["Upload-Offset": "\(offset)", name: flag ? "?1" : "?0"])
    }
}
