import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

/// Servers, files and users that change while an upload is interrupted, over a stub.
@Suite(.timeLimit(.minutes(5)))
struct UploadAbuseTests {
    private let server = StubTransport().on(.post, "/films", .cut(offering: "/7"), times: 1)

    private func upload(_ method: HTTPMethod, _ file: ScratchFile) -> SimpleRequest {
        SimpleRequest(method, path: "/films").body(file: file.url, contentType: .text).resumesUpload()
    }

    /// Followed from the first request, it would be sent again, with its credentials.
    @Test(arguments: [303, 307])
    func redirectOfTheRestIsNotFollowed(status: Int) async throws {
        let server = StubTransport()
            .on(.post, "/films", .cut(offering: "//evil.example.org/7")).on(.post, "/transfer", .status(200))
            .on(.head, "*", .state(4)).on(.get, "*", .status(200))
            .on(.patch, "*", .redirect(to: "https://api.example.com/transfer", status: status))
        let client = server.resumingClient()
        let request = SimpleRequest.film().authenticate(withHeader: "Bearer secret")
        #expect(await request.execute(on: client).ended().error != nil)
        #expect(server.log == ["POST /films", "HEAD /7", "PATCH /7"])
    }

    @Test
    func anUntrustedServerCannotNameAResourceOfATrustedOne() async throws {
        let server = StubTransport()
            .on(.post, "/films", .redirect(to: "//evil.example.org/a", status: 307))
            .on(.post, "/a", .cut(offering: "https://api.example.com/users/me")).on("*", .status(200))
        let client = server.resumingClient()
        #expect(await SimpleRequest.film().execute(on: client).ended().error != nil)
        #expect(server.requests(to: "/users/me").isEmpty)
    }

    @Test
    func withoutRedirectsTheContentStaysAtItsOrigin() async throws {
        let server = StubTransport()
            .on(.post, "/films", .cut(offering: "//other.example.org/7")).on("*", .status(200))
        let client = server.resumingClient { $0.redirectPolicy = .never }
        #expect(await SimpleRequest.film().execute(on: client).ended().error != nil)
        #expect(server.log == ["POST /films"])
    }

    @Test(arguments: ["http://api.example.com/7", "HTTP://other.example.org/7", "http://localhost/7"])
    func uploadIsNotResumedOverHTTP(location: String) async throws {
        let server = StubTransport().on(.post, "/films", .cut(offering: location)).on("*", .status(200))
        let request = SimpleRequest.film()
        #expect(await request.execute(on: server.resumingClient()).ended().error != nil)
        #expect(server.log == ["POST /films"])
        let reason = "the server's URL for resuming the upload is not used: it leads from https to http"
        #expect(request.trace.description.contains(reason))
    }

    @Test
    func onlyAnUploadIsCancelled() async throws {
        server.on(.head, "/7", .status(200))
        #expect(await SimpleRequest.film().execute(on: server.resumingClient()).ended().error != nil)
        #expect(server.log == ["POST /films", "HEAD /7"])
    }

    @Test(arguments: [HTTPMethod.post, .put])
    func changedFileIsUploadedAnewOnlyIfThatIsSafe(method: HTTPMethod) async throws {
        let file = try ScratchFile(.film)
        server.on(.head, "/7") { [url = file.url] _ in
            try Data("another".utf8).write(to: url)
            return .status(503)
        }
        server.on(.put, "/films", .replies(.cut(offering: "/7"), .status(201))).on(.post, "/films", .status(201))
        let end = await upload(method, file).execute(on: server.resumingClient()).ended()
        let isPut = method == .put
        #expect(isPut == (end.value?.httpStatus == 201))
        #expect(server.log == (isPut ? ["PUT /films", "HEAD /7", "PUT /films"] : ["POST /films", "HEAD /7"]))
    }

    @Test
    func twoFilesDoNotBecomeOneUpload() async throws {
        let file = try ScratchFile(.film)
        server.on(.head, "/7") { [url = file.url] _ in
            try Data("ABCDEFGHIJ".utf8).write(to: url, options: .atomic)
            return .state(4)
        }
        server.on(.patch, "/7") { request in
            guard case .stream(_, let make) = request.body, make() != nil else { return .failure(.unreadableBody) }
            return .status(201)
        }
        let error = await upload(.post, file).execute(on: server.resumingClient()).ended().error
        guard case .networkingError(let failure, _)? = error else { throw Surprise("\(String(describing: error))") }
        #expect(failure.kind == .unreadableBody)
        #expect(server.log == ["POST /films", "HEAD /7", "PATCH /7"])
    }

    @Test(arguments: [true, false], [HTTPMethod.post, .head])
    func theNextUsersCookiesAreNotSentWithTheFormersUpload(signsOut: Bool, during method: HTTPMethod) async throws {
        let jar = CookieJar()
        let signingOut = Locked<SimpleNetworking?>(nil)
        let changeUser: @Sendable (HTTPMethod) -> Void = { sent in
            guard sent == method else { return }
            if signsOut { signingOut.withLock { $0 }?.signOut() } else { jar.removeAll() }
        }
        let server = StubTransport().on(.patch, "/7", .status(201))
        server.on(.post, "/films") { _ in
            changeUser(.post)
            return .cut(offering: "/7")
        }
        server.on(.head, "/7") { _ in
            changeUser(.head)
            return .state(4)
        }
        let client = server.resumingClient { $0.cookieJar = jar }
        signingOut.withLock { $0 = client }
        let error = await SimpleRequest.film().execute(on: client).ended().error
        guard case .authentication? = error else { throw Surprise("\(String(describing: error))") }
        #expect(server.log == (method == .post ? ["POST /films"] : ["POST /films", "HEAD /7"]))
    }

    @Test
    func aServerCannotHaveTheContentSentForever() async throws {
        let heads = Locked(0)
        server.on(.put, "/films", .cut(offering: "/7")).on(.patch, "/7", .failure(.connectionLost))
        server.on(.head, "/7") { _ in
            heads.withLock { count in
                count += 1
                return count.isMultiple(of: 2) ? .status(404) : .state(1)
            }
        }
        #expect(await SimpleRequest.film(.put).execute(on: server.resumingClient()).ended().error != nil)
        #expect(server.requests.count { $0.method == .put } < 10)
    }

    @Test
    func aServerThatTakesOneByteAtATimeIsGivenUp() async throws {
        let received = Locked(0)
        server.on(.patch, "/7", .failure(.connectionLost))
        server.on(.head, "/7") { _ in
            received.withLock { count in
                count += 1
                return .state(count, isComplete: false)
            }
        }
        let content = Data(repeating: 1, count: 5_000)
        let request = SimpleNetworking.post("/films").body(data: content, contentType: .text).resumesUpload()
        #expect(await request.execute(on: server.resumingClient()).ended().error != nil)
        #expect(server.requests.count { $0.method == .patch } == 1_000)
    }

    /// The server has received the content, and its response is yet to come.
    @Test
    func theResponseToAQuestionIsNotTheResponseToTheUpload() async throws {
        server.on(.head, "/7", .state(10)).on(.patch, "/7", .status(503), times: 6).on(.patch, "/7", .status(201))
        let request = SimpleRequest.film().on(isolation: nil, httpStatus: 503) { request, _ in
            request.retry()
            return false
        }
        #expect(await request.execute(on: server.resumingClient()).ended().value?.httpStatus == 201)
        #expect(server.requests.count { $0.method == .post } == 1)
    }

    /// It had received more when the rest came than when it was asked.
    @Test
    func aServerThatReceivesMoreInTheMeantimeIsAskedAgain() async throws {
        let more = StubResponse.status(409, headers: ["Upload-Offset": "6", "Upload-Complete": "?0"])
        server.on(.head, "/7", .replies(.state(4), .state(6))).on(.patch, "/7", .replies(more, .status(201)))
        #expect(await SimpleRequest.film().execute(on: server.resumingClient()).ended().value?.httpStatus == 201)
        #expect(server.requests.last?.body.text == "6789")
    }

    @Test
    func aConflictOfTheApplicationIsTheResponse() async throws {
        server.on(.head, "/7", .state(4)).on(.patch, "/7", .status(409, headers: ["Upload-Complete": "?1"]))
        #expect(await SimpleRequest.film().execute(on: server.resumingClient()).ended().error?.httpStatus == 409)
    }

    @Test
    func aCompleteUploadDoesNotEndWithAnOldConflict() async throws {
        let all = StubResponse.status(409, headers: ["Upload-Offset": "10", "Upload-Complete": "?1"])
        server.on(.head, "/7", .replies(.state(4), .state(10))).on(.patch, "/7", .replies(all, .status(201)))
        #expect(await SimpleRequest.film().execute(on: server.resumingClient()).ended().value?.httpStatus == 201)
    }

    @Test
    func theRestMayBeAnsweredWithAnotherPageToSee() async throws {
        server.on(.head, "/7", .state(4)).on(.patch, "/7", .redirect(to: "/films/7", status: 303))
            .on(.get, "/films/7", .status(200))
        #expect(await SimpleRequest.film().execute(on: server.resumingClient()).ended().value?.httpStatus == 200)
        #expect(server.log == ["POST /films", "HEAD /7", "PATCH /7", "GET /films/7"])
    }

    /// The server may have carried it out; only another handler's `retry()` may repeat it.
    @Test
    func aFileThatChangesAfterARetryIsNotSentTwice() async throws {
        let file = try ScratchFile(.film)
        let heads = Locked(0)
        server.on(.patch, "/7", .status(429)).on(.post, "/films", .status(201))
        server.on(.head, "/7") { [url = file.url] _ in
            let isFirst = heads.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { return .state(4) }
            try Data("another".utf8).write(to: url)
            return .status(503)
        }
        let request = upload(.post, file).on(isolation: nil, httpStatus: 429) { request, _ in
            request.retry()
            return false
        }
        #expect(await request.execute(on: server.resumingClient()).ended().error != nil)
        #expect(server.requests.count { $0.method == .post } == 1)
    }
}
