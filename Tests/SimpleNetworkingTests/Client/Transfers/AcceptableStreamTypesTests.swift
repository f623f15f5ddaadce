import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// The media types that a request accepts for content that isn't kept in memory.
@Suite(.timeLimit(.minutes(5)))
struct AcceptableStreamTypesTests {
    private let folder = ScratchFolder()
    private let file: URL

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        file = folder.url.appendingPathComponent("film.mp4")
        try Data("old".utf8).write(to: file)
    }

    private let request = SimpleNetworking.get("/film.mp4").acceptable(types: ["video/*"])

    private func isUntouched() throws -> Bool {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        return try names == ["film.mp4"] && Data(contentsOf: file) == Data("old".utf8)
    }

    private static func refused(_ error: (any Error)?) throws -> SimpleResponse {
        guard case SimpleNetworkingError.unacceptableContentType(["video/*"], let response)? = error else {
            throw Surprise("\(String(describing: error))")
        }
        return response
    }

    @Test(arguments: Engine.allCases)
    func aFileStaysAsItWas(engine: Engine) async throws {
        let endless = RawServer.Reply([
            .send(Data("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".utf8)), .flood(Data("<html>".utf8)),
        ])
        // A caller's session returns complete content only; with the others, the request ends with its transfer.
        let isComplete = engine == .callersSession
        let server = try RawServer { _ in
            isComplete ? .response(headers: ["Content-Type": "text/html"], body: "<html>") : endless
        }
        let client = try engine.client(server)
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client.download(for: request, to: file)
        }
        let response = try Self.refused(error)
        #expect(response.httpStatus == 200 && response.headers["Content-Type"] == "text/html")
        #expect(response.data.isEmpty && response.attempt == 1)
        #expect(try isUntouched())
    }

    /// As for content in memory.
    @Test(arguments: Engine.allCases)
    func anUnacceptableStatusIsReportedBeforeTheType(engine: Engine) async throws {
        let server = try RawServer { _ in .response(headers: ["Content-Type": "text/html"], body: "<html>") }
        let client = try engine.client(server)
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client.download(for: request.acceptable(statuses: [206]), to: file)
        }
        guard case .invalidResponse(let response)? = error else { throw Surprise("\(String(describing: error))") }
        #expect(response.httpStatus == 200)
        #expect(try isUntouched())
    }

    @Test(arguments: Engine.allCases)
    func anAcceptableFileIsSaved(engine: Engine) async throws {
        let server = try RawServer { _ in .response(headers: ["Content-Type": "video/mp4"], body: "new") }
        try await engine.client(server).download(for: request, to: file)
        #expect(try Data(contentsOf: file) == Data("new".utf8))
    }

    @Test(arguments: Engine.allCases)
    func aReaderGetsNoByte(engine: Engine) async throws {
        let server = try RawServer { _ in .response(headers: ["Content-Type": "text/html"], body: "<html>") }
        let client = try engine.client(server)
        let error = await #expect(throws: SimpleNetworkingError.self) {
            for try await byte in client.bytes(for: request) { Issue.record("byte \(byte)") }
        }
        #expect(try Self.refused(error).httpStatus == 200)
    }

    @Test
    func aTransportWithoutStreamsAndMiddlewareAreCheckedToo() async throws {
        struct Portal: Middleware {
            func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
                TransportResponse(httpStatus: 200, headers: ["Content-Type": "text/html"], data: Data("<html>".utf8))
            }
        }
        for middleware in [[], [Portal()]] {
            let client = SimpleNetworking(over: StubTransport().on("*", .text("<html>"))) {
                $0.middleware = middleware
            }
            let error = await #expect(throws: SimpleNetworkingError.self) {
                try await client.download(for: request, to: file)
            }
            _ = try Self.refused(error)
            #expect(try isUntouched())
        }
    }

    @Test
    func aStatusHandlerMayTryAgain() async throws {
        let requests = Locked(0)
        let server = StubTransport().on("*") { _ in
            requests.next() == 1 ? .text("<html>") : .data(Data("new".utf8), type: "video/mp4")
        }
        let types = Recorder<String>()
        let end = await SimpleNetworking(over: server).get("/film.mp4") { [file] request in
            request.acceptable(types: ["video/*"]).download(to: file).on(httpStatus: 200) { request, response in
                types.add("\(response.headers["Content-Type"] ?? "") \(response.attempt)")
                guard response.attempt == 1 else { return true }
                request.retry()
                return false
            }
        }
        .ended()
        #expect(end.value?.httpStatus == 200)
        #expect(types.elements == ["text/plain; charset=utf-8 1", "video/mp4 2"])
        #expect(try Data(contentsOf: file) == Data("new".utf8))
    }

    @Test(arguments: Engine.allCases)
    func aResponseWithoutContentHasNoTypeToCheck(engine: Engine) async throws {
        let server = try RawServer { request in
            request.method == "HEAD"
                ? .raw("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n")
                : .raw("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        }
        let client = try engine.client(server)
        for method in [HTTPMethod.get, .head] {
            let request = SimpleRequest(method, path: "/film.mp4").acceptable(types: ["video/*"])
            try await client.download(for: request, to: file)
            #expect(try Data(contentsOf: file).isEmpty)
        }
    }

    @Test
    func aPartWithoutATypeIsRequestedAgainAsAWhole() async throws {
        let fields = "Content-Type: video/mp4\r\nETag: \"1\"\r\nAccept-Ranges: bytes\r\nContent-Length: 10\r\n\r\n"
        let gets = Locked(0)
        let server = try RawServer { request in
            if request[header: "Range"] != nil {
                return .response(status: 206, headers: ["Content-Range": "bytes 4-9/10"], body: "456789")
            }
            return .raw("HTTP/1.1 200 OK\r\n" + fields + (gets.next() == 1 ? "0123" : "0123456789"))
        }
        let client = SimpleNetworking(of: server)
        await #expect(throws: SimpleNetworkingError.self) { try await client.download(for: request, to: file) }
        try await client.download(for: request, to: file)
        #expect(try Data(contentsOf: file) == Data("0123456789".utf8))
        #expect(server.requests.map { $0[header: "Range"] } == [nil, "bytes=4-", nil])
    }

    @Test
    func theResponseIsReportedOnce() async throws {
        let server = try RawServer { _ in .response(headers: ["Content-Type": "text/html"], body: "<html>") }
        let inMemory = SimpleNetworking(over: StubTransport().on("*", .text("<html>")))
        for client in [SimpleNetworking(of: server), inMemory] {
            let download = SimpleNetworking.get("/film.mp4").acceptable(types: ["video/*"]).download(to: file)
            await download.execute(on: client).ended()
            let reports = download.trace.events.count { if case .received = $0.kind { true } else { false } }
            #expect(reports == 1)
        }
    }

    @Test
    func theRefusalOfAnotherRequestIsNotTheResponse() async throws {
        struct Nested: Middleware {
            let other: SimpleNetworking
            func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
                _ = try await other.send(SimpleNetworking.get("/token").acceptable(types: [.json]))
                return try await next(request)
            }
        }
        let other = SimpleNetworking(over: StubTransport().on("*", .text("<html>")))
        let client = SimpleNetworking(over: StubTransport().on("*", .json("{}"))) {
            $0.middleware = [Nested(other: other)]
        }
        let statuses = Recorder<Int>()
        let end = await client.get("/user") { request in
            request.on(httpStatus: 200) { _, _ in
                statuses.add(200)
                return true
            }
        }
        .ended()
        guard case .unacceptableContentType? = end.error else { throw Surprise("\(end)") }
        #expect(statuses.elements.isEmpty)
    }

    @Test
    func aTransportThatIgnoresTheRefusalDeliversNothing() async throws {
        struct Deaf: Transport {
            func send(_ request: TransportRequest) async throws -> TransportResponse {
                guard case .stream(let receive) = request.sink else { throw Surprise("no stream") }
                try? await receive(.head(status: 200, headers: ["Content-Type": "text/html"]))
                try? await receive(.content(Data("<html>".utf8)))
                return TransportResponse(httpStatus: 200, headers: ["Content-Type": "text/html"])
            }
        }
        let client = SimpleNetworking(over: Deaf())
        let error = await #expect(throws: SimpleNetworkingError.self) {
            for try await bytes in client.bytes(for: request) { Issue.record("\(bytes)") }
        }
        #expect(try Self.refused(error).httpStatus == 200)
    }

    @Test(arguments: Engine.allCases)
    func theErrorNamesTheRequestAfterARedirect(engine: Engine) async throws {
        let server = try RawServer { request in
            request.path == "/film.mp4"
                ? .redirect(to: "/login") : .response(headers: ["Content-Type": "text/html"], body: "<html>")
        }
        let client = try engine.client(server)
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client.download(for: request, to: file)
        }
        #expect(error?.request?.url.path == "/login" && error?.response?.request.url.path == "/login")
    }

    @Test
    func aCassetteKeepsNoRefusedResponse() async throws {
        let server = try RawServer { _ in .response(headers: ["Content-Type": "text/html"], body: "<html>") }
        let tape = folder.url.appendingPathComponent("tape.json")
        for mode in [Cassette.Mode.record, .replay] {
            let cassette = Cassette(tape, mode: mode)
            let client = SimpleNetworking(of: server) { $0.middleware = [cassette] }
            await #expect(throws: SimpleNetworkingError.self) { try await client.download(for: request, to: file) }
            #expect(try Data(contentsOf: file) == Data("old".utf8))
        }
    }
}
