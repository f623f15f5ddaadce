import Foundation
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Page handlers of requests whose content goes to a file or a reader, or is uploaded.
@Suite(.timeLimit(.minutes(1)))
struct PagedTransferTests {
    private let folder = ScratchFolder()
    private let server = StubTransport()
    private let pages = Recorder<[Int]>()
    private var client: SimpleNetworking { server.resumingClient() }

    private func serve(type: String = "application/json", _ text: String = "[1]") {
        let headers: HTTPHeaders = ["Link": #"</list?page=2>; rel="next""#]
        server.on("/list", .pieces(.text(text), type: type, headers: headers), times: 1)
            .on("/list", .pieces("[2]", type: "application/json"))
    }

    private func list(_ method: HTTPMethod = .get) -> SimpleRequest {
        SimpleRequest(method, path: "/list").on(page: .linkHeader(), of: Int.self) { [pages] page in
            pages.add(page.items)
            return true
        }
    }

    /// The content is in the file, so there is no page to read.
    @Test
    func aPageThatIsDownloadedIsNoPageAndLeavesTheFileAlone() async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let file = folder.url.appendingPathComponent("file")
        try Data("old".utf8).write(to: file)
        serve()
        let request = list().download(to: file).execute(on: client)
        guard case .decoding? = await request.ended().error else { throw Surprise("\(request.trace)") }
        #expect(pages.elements.isEmpty)
        #expect(server.requests.count == 1)
        #expect(try Data(contentsOf: file) == Data("old".utf8))
    }

    /// The reader has the content already.
    @Test
    func aPageThatIsReadAsAStreamIsNoPageAndIsReadOnce() async throws {
        serve()
        let request = list()
        let read = Recorder<Data>()
        let error = await #expect(throws: SimpleNetworkingError.self) {
            for try await chunk in client.bytes(for: request) { read.add(chunk) }
        }
        guard case .decoding? = error else { throw Surprise("\(String(describing: error))") }
        #expect(read.elements == [Data("[1]".utf8)])
        #expect(pages.elements.isEmpty)
        #expect(server.requests.count == 1)
    }

    @Test
    func aPageThatIsReadAsAnEventStreamIsNoPageAndIsReadOnce() async throws {
        serve(type: "text/event-stream", "data: [1]\n\n")
        let request = list()
        let read = Recorder<String>()
        let error = await #expect(throws: SimpleNetworkingError.self) {
            for try await event in client.events(for: request) { read.add(event.data) }
        }
        guard case .decoding? = error else { throw Surprise("\(String(describing: error))") }
        #expect(read.elements == ["[1]"])
        #expect(pages.elements.isEmpty)
        #expect(server.requests.count == 1)
    }

    /// A search whose body is large.
    @Test
    func eachPageOfAnUploadIsAnUploadOfItsOwn() async throws {
        server.on(.post, "/list", .cut(offering: "/u/1"), times: 1)
            .on(.head, "/u/1", .state(4))
            .on(.patch, "/u/1", .json("[1]", headers: ["Link": #"</list?page=2>; rel="next""#]))
            .on(.post, "/list", .json("[2]"))
        let request = list(.post).body(data: .film, contentType: .text).resumesUpload().execute(on: client)
        #expect(await request.ended().value != nil, "\(request.trace)")
        #expect(pages.elements == [[1], [2]])
        #expect(server.log == ["POST /list", "HEAD /u/1", "PATCH /u/1", "POST /list"])
        #expect(server.requests.last?.body.text == "0123456789")
    }

    private struct Noting: Middleware {
        let queries = Recorder<String?>()

        func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
            queries.add(request.url.query)
            var response = try await next(request)
            response.headers["X-Noted"] = "yes"
            return response
        }
    }

    @Test
    func middlewareSeesEachPageOnce() async throws {
        serve()
        let noting = Noting()
        let noted = Recorder<String?>()
        let request = list().on(httpStatus: 200) { _, response in
            noted.add(response.headers["X-Noted"])
            return true
        }
        #expect(await request.execute(on: SimpleNetworking(over: server, through: [noting])).ended().value != nil)
        #expect(noting.queries.elements == [nil, "page=2"])
        #expect(noted.elements == ["yes", "yes"])
        #expect(pages.elements == [[1], [2]])
    }
}
