import Foundation
import Testing

@testable import SimpleNetworkingCore

@Suite("Every engine: methods", .serialized, .timeLimit(.minutes(5)))
struct EngineMethodTests {
    @Test(
        arguments: Engine.allCases,
        ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "PROPFIND", "M-SEARCH", "patch"]
    )
    func everyMethodIsSentAsWrittenWithAndWithoutContent(engine: Engine, method: String) async throws {
        let server = try RawServer { .echo($0) }
        let transport = try engine.transport()
        let announces = ["POST", "PUT", "PATCH"].contains(method)
        for content in [nil, "", "content"] as [String?] {
            if method == "GET", content == "content", engine.lacks(.contentWithGet) { continue }
            let body = content.map { RequestBody.data(Data($0.utf8)) } ?? .none
            // Twice, since an engine may use its handles again.
            for _ in 0..<2 {
                let echo = try await transport.get(server.url(), method: HTTPMethod(rawValue: method), body: body).echo
                #expect(echo["method"] as? String == method)
                #expect(echo["body"] as? String == content ?? "")
            }
            let length = server.requests.last?[header: "Content-Length"]
            if announces || content == "content" { #expect(length == "\(content?.count ?? 0)") }
        }
        #expect(try await transport.get(server.url()).echo["method"] as? String == "GET")
    }

    @Test(arguments: Engine.allCases, ["GET", "get"])
    func contentWithGetIsSentOrRefused(engine: Engine, method: String) async throws {
        let server = try RawServer { .echo($0) }
        let end = try await engine.transport().end(of: server.url()) {
            $0.method = HTTPMethod(rawValue: method)
            $0.body = .data(Data("content".utf8))
        }
        #expect(end == (engine.lacks(.contentWithGet) ? "invalidRequest" : "200"))
        #expect(server.requests.map(\.text) == (engine.lacks(.contentWithGet) ? [] : ["content"]))
    }

    @Test(arguments: Engine.allCases)
    func contentWithHeadIsRefused(engine: Engine) async throws {
        let server = try RawServer { .mirror($0) }
        let end = try await engine.transport().end(of: server.url()) {
            $0.method = .head
            $0.body = .data(Data("content".utf8))
        }
        #expect(end == "invalidRequest")
        #expect(server.log.opened == 0)
    }

    @Test(arguments: Engine.allCases)
    func headReturnsHeadersWithoutContent(engine: Engine) async throws {
        let server = try RawServer { _ in .response(headers: ["X-Is": "there"], body: "content") }
        let transport = try engine.transport()
        let response = try await transport.get(server.url(), method: .head) { $0.maxResponseSize = 1 }
        #expect(response.headers["X-Is"] == "there")
        #expect(response.headers["Content-Length"] == "7")
        #expect(response.data.isEmpty)
        #expect(try await transport.get(server.url()).text == "content")
        #expect(server.log.opened == 1)
    }

    /// RFC 9110 §9.3.7, RFC 9112 §3.2.4.
    @Test(
        arguments: Engine.allCases,
        [
            ("OPTIONS", "*", "*"), ("OPTIONS", "/*", "*"), ("OPTIONS", "/%2A", "/%2A"), ("OPTIONS", "/*?", "/*?"),
            ("OPTIONS", "/a/*", "/a/*"),
            ("OPTIONS", "/", "/"), ("GET", "/*", "/*"), ("OPTION", "/*", "/*"),
        ]
    )
    func optionsOfAnAsteriskAskTheServer(
        engine: Engine,
        request: (method: String, path: String, target: String)
    ) async throws {
        let server = try RawServer { _ in .response() }
        let client = try engine.client(server)
        // In between, since an engine may use its handles again.
        for path in [request.path, "/x", request.path] {
            _ = try await client.send(Request<Void>(path: path, method: HTTPMethod(rawValue: request.method)))
        }
        let target = request.target == "*" && engine.lacks(.asterisks) ? "/*" : request.target
        #expect(server.requests.map(\.target) == [target, "/x", target])
    }

    @Test(arguments: Engine.allCases)
    func connectIsRefused(engine: Engine) async throws {
        let server = try RawServer { _ in .response() }
        let end = try await engine.transport().end(of: server.url()) { $0.method = "CONNECT" }
        #expect(end == "invalidRequest")
        #expect(server.log.opened == 0)
    }

    @Test(arguments: Engine.allCases, ["get", "post", "pRoPfInD"])
    func methodsKeepTheirCaseExceptThoseFoundationKnows(engine: Engine, method: String) async throws {
        let server = try RawServer { .echo($0) }
        _ = try await engine.transport().get(server.url(), method: HTTPMethod(rawValue: method))
        let isKnown = engine.lacks(.spelling) && ["get", "post"].contains(method)
        #expect(server.requests.map(\.method) == [isKnown ? method.uppercased() : method])
    }
}
