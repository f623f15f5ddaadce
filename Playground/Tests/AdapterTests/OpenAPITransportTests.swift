import Adapters
import DemoServer
import Foundation
import HTTPTypes
import OpenAPIRuntime
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// The transport for clients that swift-openapi-generator has generated, over sockets.
@Suite(.timeLimit(.minutes(1)))
struct OpenAPITransportTests {
    private typealias Chunk = HTTPBody.ByteChunk

    private let stub = StubTransport()

    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: HTTPBody? = nil,
        fields: HTTPFields = [:],
        to base: URL
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let client = SimpleNetworking(baseURL: base) { $0.logger = .silent }
        let request = HTTPRequest(method: method, scheme: nil, authority: nil, path: path, headerFields: fields)
        return try await OpenAPITransport(client: client).send(request, body: body, baseURL: base, operationID: "op")
    }

    private func text(_ body: HTTPBody?) async throws -> String {
        String(decoding: try await Data(collecting: try #require(body), upTo: 1 << 20), as: UTF8.self)
    }

    @Test
    func theDemoServerReceivesAndReturnsContent() async throws {
        let server = try await DemoServer.start()
        let (response, body) = try await send(
            .post,
            "/echo?a=1%2F2",
            HTTPBody(Data("hello".utf8)),
            fields: [.contentType: "text/x-note", .accept: "application/json"],
            to: server.baseURL
        )
        let content = Data(try await text(body).utf8)
        await server.stop()
        let echo = try #require(try JSONSerialization.jsonObject(with: content) as? [String: Any])
        let fields = try #require(echo["headers"] as? [String: String])
        #expect(response.status == .ok && body?.length == .known(Int64(content.count)))
        #expect(echo["body"] as? String == "hello" && echo["query"] as? String == "a=1%2F2")
        #expect(fields["Content-Type"] == "text/x-note" && fields["Content-Length"] == "5")
        #expect(fields["Accept"] == "application/json")
    }

    @Test
    func contentIsReadAsItArrives() async throws {
        let (first, second) = (Gate(), Gate())
        stub.on(.get, "/base/log", .pieces(.gate(first), "one", .gate(second), "two", headers: ["Server": "2"]))
        let server = try LoopbackServer(stub)
        // The head is there before any content.
        let (response, body) = try await send(.get, "/log", to: server.url.appendingPathComponent("base/"))
        #expect(response.status == .ok && response.headerFields[.server] == "2")
        var chunks = try #require(body).makeAsyncIterator()
        first.open()
        #expect(try await chunks.next() == Chunk("one".utf8))
        second.open()
        #expect(try await chunks.next() == Chunk("two".utf8))
        #expect(try await chunks.next() == nil)
    }

    @Test
    func contentIsMadeWhileItIsSent() async throws {
        stub.on(.post, "/log") { .text($0.text ?? "") }
        let server = try LoopbackServer(stub)
        let pulled = Recorder<Int>()
        let (stream, pieces) = AsyncThrowingStream.makeStream(of: Chunk.self)
        async let sent = send(.post, "/log", HTTPBody(stream, length: .unknown), to: server.url)
        for number in 1...100 {
            pulled.add(number)
            pieces.yield(Chunk("\(number) ".utf8))
            await Task.yield()
        }
        pieces.finish()
        let (response, body) = try await sent
        #expect(response.status == .ok)
        #expect(try await text(body) == pulled.elements.map { "\($0) " }.joined())
        #expect(stub.requests.first?.headers["Transfer-Encoding"] == "chunked")
    }

    @Test
    func anErrorOfTheContentEndsTheRequest() async throws {
        struct Broken: Error {}
        stub.on("*", .status(204))
        let server = try LoopbackServer(stub)
        let (stream, pieces) = AsyncThrowingStream.makeStream(of: Chunk.self)
        pieces.yield(Chunk("one".utf8))
        pieces.finish(throwing: Broken())
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await send(.post, "/log", HTTPBody(stream, length: .unknown), to: server.url)
        }
        guard case .failed(let reason, _, _)? = error else { throw try #require(error) }
        #expect(reason is Broken)
        #expect(stub.requests.isEmpty)
    }

    @Test(arguments: [404, 500, 304])
    func anyStatusIsAResponseWithItsContent(status: Int) async throws {
        stub.on("/none", .text(status == 304 ? "" : "gone", status: status, headers: ["Server": "2"]))
        let server = try LoopbackServer(stub)
        let (response, body) = try await send(.get, "/none", to: server.url)
        #expect(response.status.code == status && response.headerFields[.server] == "2")
        #expect(try await text(body) == (status == 304 ? "" : "gone"))
    }

    @Test
    func aResponseWithoutContentHasNoBody() async throws {
        stub.on(.delete, "/x", .status(204)).on(.head, "/x", .text("content"))
        let server = try LoopbackServer(stub)
        let (deleted, none) = try await send(.delete, "/x", to: server.url)
        #expect(deleted.status == .noContent && none == nil)
        let (head, nothing) = try await send(.head, "/x", to: server.url)
        #expect(head.headerFields[.contentLength] == "7" && nothing == nil)
    }

    @Test
    func cancellingBeforeTheHeadEndsTheRequest() async throws {
        let arrived = Gate()
        stub.on("/slow") { _ in
            arrived.open()
            return .silence
        }
        let server = try LoopbackServer(stub)
        let sending = Task { try await send(.get, "/slow", to: server.url).0.status.code }
        try await arrived.wait()
        sending.cancel()
        await #expect(throws: CancellationError.self) { try await sending.value }
    }

    @Test(arguments: [false, true])
    func cancellingOrReleasingTheBodyEndsTheTransfer(cancels: Bool) async throws {
        let ended = Gate()
        let stub = stub
        stub.on("/log", .pieces("one", .silence))
        let server = try LoopbackServer(stub)
        var body: HTTPBody? = try await send(.get, "/log", to: server.url).1
        if cancels {
            let (reading, begun) = (body, Gate())
            let task = Task {
                for try await _ in try #require(reading) { begun.open() }
            }
            try await begun.wait()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        body = nil
        // The stub notices that the client has hung up.
        while !stub.waits.isEmpty { await Task.yield() }
        ended.open()
        #expect(server.stub.requests.count == 1)
    }

    @Test
    func theOperationIsATag() async throws {
        struct Tags: EventMonitor {
            let seen = Recorder<String>()

            func observe(_ event: RequestEvent, of request: ObservedRequest) {
                seen.add(request.tags["operation"] ?? "")
            }
        }
        let tags = Tags()
        stub.on("/x", .status(204))
        let client = SimpleNetworking(host: "api.example.com") {
            ($0.transport, $0.eventMonitors, $0.logger) = (stub, [tags], .silent)
        }
        _ = try await OpenAPITransport(client: client).send(
            HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/x"),
            body: nil,
            baseURL: client.baseURL,
            operationID: "listUsers"
        )
        #expect(Set(tags.seen.elements) == ["listUsers"])
    }
}
