import Adapters
import DemoServer
import Foundation
import HTTPTypes
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// The adapter for swift-http-types.
@Suite(.timeLimit(.minutes(1)))
struct HTTPTypesTests {
    @Test
    func aRequestIsSentWithItsFieldsAndContent() async throws {
        let server = try await DemoServer.start()
        let api = SimpleNetworking(baseURL: server.baseURL) { $0.logger = .silent }
        var request = HTTPRequest(method: .put, scheme: nil, authority: nil, path: "/echo?a=1%202")
        request.headerFields[.contentType] = "text/x-note"
        request.headerFields.append(HTTPField(name: .accept, value: "text/plain"))
        request.headerFields.append(HTTPField(name: .accept, value: "text/html"))
        let (response, data) = try await api.send(request, body: Data("hello".utf8))
        await server.stop()
        #expect(response.status == .ok && response.headerFields[.contentType] == "application/json")
        let echo = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let fields = try #require(echo["headers"] as? [String: String])
        #expect(echo["method"] as? String == "PUT" && echo["query"] as? String == "a=1%202")
        #expect(echo["body"] as? String == "hello")
        #expect(fields["Content-Type"] == "text/x-note" && fields["Accept"] == "text/plain, text/html")
    }

    @Test
    func aResponseOfAnyStatusIsAResponse() async throws {
        let server = StubTransport().on("/none", .text("gone", status: 404, headers: ["Server": "2"]))
        let api = SimpleNetworking(host: "api.example.com") { ($0.transport, $0.logger) = (server, .silent) }
        let url = try #require(URL(string: "https://api.example.com/none?a=1"))
        let (response, data) = try await api.send(HTTPRequest(url: url))
        #expect(response.status.code == 404 && response.headerFields[.server] == "2")
        #expect(data == Data("gone".utf8))
        #expect(server.requests.first?.url == url)
    }

    @Test
    func aFieldThatMustNotBeIndexedIsASecret() async throws {
        let server = StubTransport().on("*", .status(204))
        let api = SimpleNetworking(host: "api.example.com") { ($0.transport, $0.logger) = (server, .silent) }
        var field = HTTPField(name: try #require(.init("X-Note")), value: "s3cret-note")
        field.indexingStrategy = .disallow
        for host in ["api.example.com", "other.example"] {
            let request = HTTPRequest(
                method: .get,
                scheme: "https",
                authority: host,
                path: "/x",
                headerFields: HTTPFields([field])
            )
            _ = try await api.send(request)
        }
        #expect(server.requests.map { $0.headers["X-Note"] } == ["s3cret-note", nil])
        #expect(!"\(server.requests.map(\.headers))".contains("s3cret-note"))
    }

    @Test
    func headsAndFieldsComeBackAsTheyWere() throws {
        let headers = HTTPHeaders(fields: [
            .init("X-B", "1"), .init("Set-Cookie", "a=1, b"), .init("x-b", "2"), .init("X-Key", "k", isSecret: true),
        ])
        let head = RequestHead(
            method: .patch,
            url: try #require(URL(string: "http://127.0.0.1:8080/a%20b?c=%2F")),
            headers: headers
        )
        let request = try #require(HTTPRequest(head))
        #expect(request.authority == "127.0.0.1:8080" && request.path == "/a%20b?c=%2F")
        let back = try #require(RequestHead(request))
        #expect(back.url == head.url && back.method == .patch)
        #expect(Array(back.headers) == Array(headers))

        let response = TransportResponse(httpStatus: 418, headers: headers, data: Data("tea".utf8))
        let again = TransportResponse(HTTPResponse(response), data: response.data)
        #expect(again.httpStatus == 418 && Array(again.headers) == Array(headers) && again.data == response.data)
    }

    @Test
    func whatHTTPForbidsIsLeftOut() throws {
        #expect(HTTPFields(["bad name": "1", "X-Good": "2"]).count == 1)
        let url = try #require(URL(string: "https://api.example.com/x"))
        #expect(HTTPRequest(RequestHead(method: HTTPMethod(rawValue: "BAD METHOD"), url: url)) == nil)
        #expect(RequestHead(HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/x")) == nil)
    }
}
