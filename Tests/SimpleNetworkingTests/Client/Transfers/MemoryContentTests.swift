import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Content that a transport or middleware has in memory, where a file or a stream was requested.
@Suite(.timeLimit(.minutes(5)))
struct MemoryContentTests {
    /// The part that has the content in memory.
    enum Source: CaseIterable, Sendable { case stub, transport, middleware }

    private let folder = ScratchFolder()
    private let file: URL
    private let request = SimpleNetworking.get("/x")

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        file = folder.url.appendingPathComponent("film.mp4")
    }

    private var content: String? { try? String(contentsOf: file, encoding: .utf8) }
    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path))?.sorted() ?? []
    }

    private func client(
        _ source: Source,
        _ text: String,
        type: String = "text/plain",
        status: Int = 200
    ) -> SimpleNetworking {
        let body = Data(text.utf8)
        let response = TransportResponse(httpStatus: status, headers: ["Content-Type": type], data: body)
        return SimpleNetworking(host: "api.example.com") {
            $0.logger = .quiet
            $0.maxResponseSize = 10
            switch source {
            case .stub: $0.transport = StubTransport().on("/x", .data(body, type: type, status: status))
            case .transport: $0.transport = Acting { _ in response }
            case .middleware:
                $0.transport = StubTransport()
                $0.middleware = [Acting { _ in response }]
            }
        }
    }

    private func text(_ bytes: ResponseBytes) async throws -> String {
        var text = ""
        for try await piece in bytes { text += String(decoding: piece, as: UTF8.self) }
        return text
    }

    // MARK: - Every source, every destination

    @Test(arguments: Source.allCases)
    func aDownloadHasItsFile(source: Source) async throws {
        let response = try await client(source, "more than ten").download(for: request, to: file)
        #expect(content == "more than ten" && names == ["film.mp4"])
        #expect(response.statusCode == 200 && response.data.isEmpty)
    }

    @Test(arguments: Source.allCases)
    func aDownloadWithHandlersHasItsFileAndOneReportOfProgress(source: Source) async throws {
        let seen = Recorder<TransferProgress>()
        let download = client(source, "content").get("/x") {
            $0.download(to: file).on(isolation: nil, progress: { seen.add($0) })
        }
        #expect(await download.ended().value?.httpStatus == 200)
        #expect(content == "content" && names == ["film.mp4"])
        #expect(seen.elements.map(\.bytesReceived) == [7] && seen.elements.last?.fractionReceived == 1)
    }

    @Test(arguments: Source.allCases)
    func piecesHaveTheContentOnce(source: Source) async throws {
        var pieces = client(source, "more than ten").bytes(for: request).makeAsyncIterator()
        #expect(try await pieces.head()?.headers["Content-Type"] == "text/plain")
        #expect(try await pieces.next() == Data("more than ten".utf8))
        #expect(try await pieces.next() == nil)
    }

    @Test(arguments: Source.allCases)
    func linesValuesAndEventsCome(source: Source) async throws {
        let lines = await client(source, "one\ntwo").lines(for: request).all()
        #expect(lines.elements == ["one", "two"] && lines.error == nil)
        let values = await client(source, "1\n2\n").jsonLines(of: Int.self, for: request).all()
        #expect(values.elements == [1, 2] && values.error == nil)
        let events = await client(source, "data: a\n\ndata: b\n\n", type: "text/event-stream").events(for: request)
            .all()
        #expect(events.elements.map(\.data) == ["a", "b"] && events.error == nil)
    }

    @Test(arguments: Source.allCases)
    func noContentIsAnEmptyFileAndAStreamThatEnds(source: Source) async throws {
        try await client(source, "", status: 204).download(for: request, to: file)
        #expect(content == "" && names == ["film.mp4"])
        #expect(try await text(client(source, "").bytes(for: request)) == "")
    }

    @Test(arguments: Source.allCases)
    func theContentOfARefusalIsTheErrors(source: Source) async throws {
        let client = client(source, "not you", status: 403)
        for error in [
            await #expect(throws: SimpleNetworkingError.self) { try await client.download(for: request, to: file) },
            await #expect(throws: SimpleNetworkingError.self) { try await text(client.bytes(for: request)) },
        ] { #expect(error?.response?.text == "not you") }
        #expect(names == [])
    }

    // MARK: - Halfway

    @Test
    func aTransportThatDoesBothGivesTheContentOnce() async throws {
        let transport = Acting { request in
            guard case .stream(let receive) = request.sink else { throw Surprise("no stream") }
            try await receive(.head(status: 200, headers: [:]))
            try await receive(.content(Data("content".utf8)))
            return TransportResponse(httpStatus: 200, data: Data("content".utf8))
        }
        #expect(try await text(SimpleNetworking(over: transport).bytes(for: request)) == "content")
        try await SimpleNetworking(over: transport).download(for: request, to: file)
        #expect(content == "content")
    }

    @Test
    func contentInMemoryMayBeTheRestOfADownload() async throws {
        let transport = Acting { request in
            if request.headers["Range"] == "bytes=3-" {
                let headers: HTTPHeaders = ["Content-Range": "bytes 3-6/7"]
                return TransportResponse(httpStatus: 206, headers: headers, data: Data("tent".utf8))
            }
            guard case .stream(let receive) = request.sink else { throw Surprise("no stream") }
            try await receive(.head(status: 200, headers: ["ETag": "\"1\""]))
            try await receive(.content(Data("con".utf8)))
            throw NetworkFailure(.connectionLost)
        }
        let client = SimpleNetworking(over: transport)
        await #expect(throws: SimpleNetworkingError.self) { try await client.download(for: request, to: file) }
        let response = try await client.download(for: request, to: file)
        #expect(response.statusCode == 206 && content == "content" && names == ["film.mp4"])
    }

    @Test
    func middlewareThatMakesARequestOfItsOwnLosesNothing() async throws {
        let stub = StubTransport().on("*", .text("content"))
        let client = SimpleNetworking(
            over: stub,
            through: [Acting(around: { try await $1(TransportRequest(head: $0.head)) })]
        )
        #expect(try await text(client.bytes(for: request)) == "content")
        try await client.download(for: request, to: file)
        #expect(content == "content")
    }

    @Test
    func middlewareResponseAfterAFailureReachesTheDestination() async throws {
        let stub = StubTransport().on("*", .failure(NetworkFailure(.connectionLost)))
        let fallback = Acting(around: { request, next in
            do { return try await next(request) } catch {
                return TransportResponse(httpStatus: 200, data: Data("stored".utf8))
            }
        })
        let client = SimpleNetworking(over: stub, through: [fallback])
        #expect(try await text(client.bytes(for: request)) == "stored")
        try await client.download(for: request, to: file)
        #expect(content == "stored" && names == ["film.mp4"])
    }

    @Test(arguments: [true, false])
    func whatComesAfterPartsThatWereHandedOverIsAnErrorForAStreamAndWholeForAFile(answersItself: Bool) async throws {
        let isFirst = Locked(true)
        let broken = Acting { request in
            let fails = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard fails, case .stream(let receive) = request.sink else {
                return TransportResponse(httpStatus: 200, data: Data("whole".utf8))
            }
            try await receive(.head(status: 200, headers: [:]))
            try await receive(.content(Data("wh".utf8)))
            throw NetworkFailure(.connectionLost)
        }
        let again = Acting(around: { request, next in
            do { return try await next(request) } catch  where answersItself {
                return TransportResponse(httpStatus: 200, data: Data("whole".utf8))
            } catch { return try await next(request) }
        })
        let client = SimpleNetworking(over: broken, through: [again])
        let pieces = await client.bytes(for: request).all()
        #expect(pieces.elements == [Data("wh".utf8)])
        guard case SimpleNetworkingError.invalidRequest? = pieces.error else {
            throw Surprise("\(String(describing: pieces.error))")
        }
        isFirst.withLock { $0 = true }
        try await client.download(for: request, to: file)
        #expect(content == "whole" && names == ["film.mp4"])
    }

    // MARK: - Sinks of the caller's own

    @Test
    func aSinkThatACallHasSetGetsTheContent() async throws {
        let client = SimpleNetworking(over: StubTransport().on("*", .text("content")))
        let seen = Recorder<Data>()
        let streamed = try await client.send(Request<Void>.get("/x")) {
            $0.sink = .stream { if case .content(let data) = $0 { seen.add(data) } }
        }
        #expect(seen.elements == [Data("content".utf8)] && streamed.data.isEmpty)
    }

    // MARK: - Mocks of URLSession

    @Test
    func mockProtocolClassRespondsForEveryDestination() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [MockProtocol.self]
        for transport in [
            URLSessionTransport(configuration: configuration),
            URLSessionTransport(session: URLSession(configuration: configuration)),
        ] {
            let client = SimpleNetworking(over: transport)
            #expect(try await text(client.bytes(for: request)) == "mocked")
            try await client.download(for: request, to: file)
            #expect(content == "mocked")
        }
    }
}

/// A transport, or middleware, that does what a test says.
private struct Acting: Transport, Middleware {
    let around: @Sendable (TransportRequest, Middleware.Next) async throws -> TransportResponse

    init(around: @escaping @Sendable (TransportRequest, Middleware.Next) async throws -> TransportResponse) {
        self.around = around
    }

    init(_ reply: @escaping @Sendable (TransportRequest) async throws -> TransportResponse) {
        around = { request, _ in try await reply(request) }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await around(request) { _ in throw Surprise("there is nothing below") }
    }

    func intercept(_ request: TransportRequest, next: Middleware.Next) async throws -> TransportResponse {
        try await around(request, next)
    }
}

/// Responds to every request of a session without a network.
private final class MockProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:])
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("mocked".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }
}
