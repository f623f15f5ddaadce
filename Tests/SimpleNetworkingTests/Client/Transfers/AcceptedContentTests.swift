import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// What `acceptable(statuses:)` accepts or refuses, in memory, in a stream and in a file.
@Suite(.timeLimit(.minutes(5)))
struct AcceptedContentTests {
    private let folder = ScratchFolder()
    private let file: URL
    private let request = SimpleNetworking.get("/x")

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        file = folder.url.appendingPathComponent("film.mp4")
        try Data("old".utf8).write(to: file)
    }

    private var content: String? { try? String(contentsOf: file, encoding: .utf8) }
    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path))?.sorted() ?? []
    }

    private func text(_ bytes: ResponseBytes) async throws -> String {
        var text = ""
        for try await piece in bytes { text += String(decoding: piece, as: UTF8.self) }
        return text
    }

    /// Middleware that has another response for one that broke, as one does with a fallback.
    @Test
    func aResponseIsNotAppendedToOneThatWasPartlyDelivered() async throws {
        struct Fallback: Middleware {
            func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
                do { return try await next(request) } catch {
                    return TransportResponse(httpStatus: 404, headers: [:], data: Data("fallback".utf8))
                }
            }
        }
        let server = try RawServer { _ in .truncated }
        let client = try Engine.allCases[0].client(server) {
            $0.acceptableStatuses = [200, 404]
            $0.middleware = [Fallback()]
        }
        var received = ""
        await #expect(throws: SimpleNetworkingError.self) {
            for try await piece in client.bytes(for: request) { received += String(decoding: piece, as: UTF8.self) }
        }
        #expect(received == "0123456789")
    }

    // MARK: - Accepted

    @Test(arguments: Engine.allCases, [300, 400, 404, 410, 500, 503])
    func contentOfAnAcceptedStatusReachesEveryDestination(engine: Engine, status: Int) async throws {
        let server = try RawServer { _ in .response(status: status, body: "1\n2") }
        let client = try engine.client(server) { $0.acceptableStatuses = [200, status] }
        #expect(try await client.send(request).text == "1\n2")
        #expect(try await text(client.bytes(for: request)) == "1\n2")
        #expect(await client.lines(for: request).all().elements == ["1", "2"])
        #expect(await client.jsonLines(of: Int.self, for: request).all().elements == [1, 2])
        let response = try await client.download(for: request, to: file)
        #expect(response.statusCode == status && response.data.isEmpty)
        #expect(content == "1\n2" && names == ["film.mp4"])
    }

    /// A caller's own session gives a redirect without its content.
    @Test(arguments: Engine.allCases.filter { $0 != .callersSession }, [302, 308])
    func anAcceptedRedirectThatIsNotFollowedIsDelivered(engine: Engine, status: Int) async throws {
        let server = try RawServer { _ in .redirect(to: "/y", status: status) }
        let client = try engine.client(server) {
            $0.acceptableStatuses = [200, status]
            $0.redirectPolicy = .never
        }
        #expect(try await text(client.bytes(for: request)) == "moved")
        #expect(try await client.download(for: request, to: file).statusCode == status)
        #expect(content == "moved")
    }

    @Test
    func anAcceptedRedirectThatIsFollowedLeavesNothingOfItsOwn() async throws {
        let server = try RawServer { $0.path == "/y" ? .response(body: "there") : .redirect(to: "/y") }
        let client = SimpleNetworking(of: server) { $0.acceptableStatuses = [200, 302] }
        #expect(try await text(client.bytes(for: request)) == "there")
        try await client.download(for: request, to: file)
        #expect(content == "there")
    }

    @Test
    func aStreamTellsTheAcceptedStatusAndAnEmptyOneEnds() async throws {
        let server = try RawServer { .response(status: 404, body: $0.path == "/x" ? "gone" : "") }
        let client = SimpleNetworking(of: server) { $0.acceptableStatuses = [404] }
        var pieces = client.bytes(for: request).makeAsyncIterator()
        #expect(try await pieces.head()?.httpStatus == 404)
        #expect(try await pieces.next() == Data("gone".utf8))
        #expect(try await pieces.next() == nil)
        var none = client.bytes(for: .get("/none")).makeAsyncIterator()
        #expect(try await none.next() == nil)
        #expect(try await none.head()?.httpStatus == 404)
        try await client.download(for: .get("/none"), to: file)
        #expect(content == "")
    }

    @Test
    func handlersTakeTheFileAndTheProgressOfAnAcceptedStatus() async throws {
        let server = try RawServer { _ in .response(status: 404, body: "gone") }
        let seen = Recorder<TransferProgress>()
        let urls = Recorder<URL>()
        let download = SimpleNetworking(of: server).get("/x") {
            $0.acceptable(statuses: [404]).download(to: file).on(isolation: nil, progress: { seen.add($0) })
                .on(success: URL.self) { urls.add($0) }
        }
        #expect(await download.ended().value?.httpStatus == 404)
        #expect(urls.elements == [file] && content == "gone")
        #expect(seen.elements.last?.bytesReceived == 4 && seen.elements.last?.fractionReceived == 1)
    }

    @Test(arguments: [true, false])
    func anAcceptedStatusOfMiddlewareOrAStubIsDelivered(isMiddleware: Bool) async throws {
        let stub = StubTransport().on("/x", .text("gone", status: 404))
        let client = SimpleNetworking(over: stub, through: isMiddleware ? [Fixed()] : []) {
            $0.acceptableStatuses = [404]
        }
        #expect(try await text(client.bytes(for: request)) == "gone")
        try await client.download(for: request, to: file)
        #expect(content == "gone")
    }

    private struct Fixed: Middleware {
        func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
            TransportResponse(httpStatus: 404, data: Data("gone".utf8))
        }
    }

    @Test
    func middlewareThatRebuildsAResponseDoesNotEmptyTheFile() async throws {
        let stub = StubTransport().on("/x", .text("content"))
        let client = SimpleNetworking(over: stub, through: [Rebuilding()])
        try await client.download(for: request, to: file)
        #expect(content == "content")
        #expect(try await text(client.bytes(for: request)) == "content")
    }

    private struct Rebuilding: Middleware {
        func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
            let response = try await next(request)
            return TransportResponse(httpStatus: response.httpStatus, headers: response.headers, data: response.data)
        }
    }

    @Test
    func anAcceptedStatusIsRetriedBeforeItIsDeliveredAsInMemory() async throws {
        let server = try RawServer { _ in .response(status: 503, body: "busy") }
        let client = SimpleNetworking(of: server) {
            $0.acceptableStatuses = [200, 503]
            $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(0))
        }
        #expect(try await client.send(request).text == "busy")
        #expect(try await text(client.bytes(for: request)) == "busy")
        try await client.download(for: request, to: file)
        #expect(content == "busy" && server.requests.count == 6)
    }

    @Test
    func anAccepted401IsDeliveredAfterTheRefreshOnly() async throws {
        let server = try RawServer {
            $0[header: "Authorization"] == "Bearer new" ? .response(body: "in") : .unauthorized()
        }
        let client = SimpleNetworking(of: server) {
            $0.acceptableStatuses = [200, 401]
            $0.authenticator = BearerAuthenticator(token: Secret("old")) { _ in Secret("new") }
        }
        #expect(try await text(client.bytes(for: request)) == "in")
        try await client.download(for: request, to: file)
        #expect(content == "in")
        let refused = SimpleNetworking(of: server) { $0.acceptableStatuses = [200, 401] }
        #expect(try await text(refused.bytes(for: request)) == "who are you?")
    }

    @Test
    func anAccepted404TakesThePlaceOfThePartialFile() async throws {
        let isFirst = Locked(true)
        let server = try RawServer { request in
            let wasFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return wasFirst ? FileReply(cut: 20_000).reply(to: request) : .response(status: 404, body: "gone")
        }
        let client = SimpleNetworking(of: server) { $0.acceptableStatuses = [200, 206, 404] }
        await #expect(throws: SimpleNetworkingError.self) { try await client.download(for: request, to: file) }
        #expect(content == "old")
        #expect(try await client.download(for: request, to: file).statusCode == 404)
        #expect(server.requests.last?[header: "Range"] == "bytes=20000-")
        #expect(content == "gone" && names == ["film.mp4"])
    }

    /// A subclass may accept what the request's statuses don't contain.
    @Test
    func whatASubclassAcceptsIsDelivered() async throws {
        let client = Lenient(host: "api.example.com") {
            $0.transport = StubTransport().on("/x", .text("gone", status: 404))
            $0.logger = .quiet
        }
        #expect(try await text(client.bytes(for: request)) == "gone")
        let urls = Recorder<URL>()
        _ = await client.get("/x") { $0.download(to: file).on(success: URL.self) { urls.add($0) } }.ended()
        #expect(urls.elements == [file] && content == "gone")
    }

    private final class Lenient: SimpleNetworking, @unchecked Sendable {
        override func validate(_ response: SimpleResponse) throws {}
    }

    // MARK: - 304

    @Test
    func a304ToAConditionOfTheRequestLeavesTheFileAsItIs() async throws {
        let server = try RawServer { _ in .response(status: 304) }
        let client = SimpleNetworking(of: server) { $0.acceptableStatuses = [200, 304] }
        let request = SimpleNetworking.get("/x").header("If-None-Match", "\"1\"")
        #expect(try await client.download(for: request, to: file).statusCode == 304)
        #expect(content == "old" && names == ["film.mp4"])
        #expect(try await text(client.bytes(for: request)) == "")
        try FileManager.default.removeItem(at: file)
        await #expect(throws: SimpleNetworkingError.self) { try await client.download(for: request, to: file) }
        #expect(names == [])
    }

    @Test
    func a304WithoutAConditionIsNoSuccessWithTheOldFile() async throws {
        let server = try RawServer { _ in .response(status: 304) }
        let client = SimpleNetworking(of: server) { $0.acceptableStatuses = [200, 304] }
        await #expect(throws: SimpleNetworkingError.self) { try await client.download(for: request, to: file) }
        #expect(content == "old" && names == ["film.mp4"])
    }

    // MARK: - Refused

    @Test(arguments: Engine.allCases, [200, 202, 206])
    func aStatusThatIsNotAcceptedLeavesTheFileAloneAndHasItsContentInTheError(
        engine: Engine,
        status: Int
    ) async throws {
        let server = try RawServer { _ in .response(status: status, body: "other") }
        let client = try engine.client(server) { $0.acceptableStatuses = [204, 404] }
        for error in [
            await #expect(throws: SimpleNetworkingError.self) { try await client.download(for: request, to: file) },
            await #expect(throws: SimpleNetworkingError.self) { try await text(client.bytes(for: request)) },
        ] { #expect(error?.httpStatus == status && error?.response?.text == "other") }
        #expect(content == "old" && names == ["film.mp4"])
    }

    @Test
    func theContentOfARefusedStatusIsLimited() async throws {
        let server = try RawServer { _ in .response(status: 202, body: "more than ten") }
        let client = SimpleNetworking(of: server) {
            $0.acceptableStatuses = [200]
            $0.maxResponseSize = 10
        }
        let error = await #expect(throws: SimpleNetworkingError.self) { try await text(client.bytes(for: request)) }
        guard case .tooLarge(limit: 10, _)? = error else { throw Surprise("\(String(describing: error))") }
    }

    @Test
    func contentOfAnotherTypeThanAcceptedStaysAnError() async throws {
        let server = try RawServer { _ in
            .response(status: 404, headers: ["Content-Type": "text/html"], body: "<p>")
        }
        let client = SimpleNetworking(of: server)
        let request = request.copy().acceptable(statuses: [404]).acceptable(types: [.json])
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client.download(for: request, to: file)
        }
        guard case .unacceptableContentType? = error else { throw Surprise("\(String(describing: error))") }
        #expect(content == "old" && names == ["film.mp4"])
    }

    @Test
    func aDownloadIsNotResumedIfItsRequestDoesNotAccept206() async throws {
        let server = try FileReply.serve(FileReply(cut: 20_000), FileReply())
        let client = SimpleNetworking(of: server) { $0.acceptableStatuses = [200] }
        await #expect(throws: SimpleNetworkingError.self) { try await client.download(for: request, to: file) }
        #expect(try await client.download(for: request, to: file).statusCode == 200)
        #expect(try Data(contentsOf: file) == FileReply.content)
        #expect(server.requests.map { $0[header: "Range"] } == [nil, nil])
    }
}
