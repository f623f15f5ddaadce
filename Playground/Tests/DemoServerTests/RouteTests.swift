import DemoServer
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RouteTests {
    @Test(arguments: [
        ("hello", 200, #"{"greeting":"Hello, world!"}"#),
        ("hello?name=Ada", 200, #"{"greeting":"Hello, Ada!"}"#),
        ("users/2", 200, #"{"id":2,"name":"Alan Turing"}"#),
        ("users/7", 404, #"{"error":"There is no user 7."}"#),
        (
            "items?page=4&per_page=6", 200,
            #"{"items":[{"id":19,"title":"Item 19"},{"id":20,"title":"Item 20"}],"page":4,"total":20}"#
        ),
        ("items?page=9", 200, #"{"items":[],"page":9,"total":20}"#),
        ("items/20", 200, #"{"id":20,"title":"Item 20"}"#),
        ("items/21", 404, #"{"error":"There is no item 21."}"#),
        ("status/503", 503, #"{"status":503}"#),
        ("status/204", 204, ""),
        ("status/99", 400, #"{"error":"Ask for a status from 200 to 599."}"#),
        ("slow?seconds=0", 200, #"{"waited":0}"#),
        ("slow?seconds=61", 400, #"{"error":"Ask for at most 60 seconds."}"#),
        ("locked/auth", 401, #"{"error":"This area is closed."}"#),
        ("nowhere", 404, #"{"error":"There is no GET /nowhere here."}"#),
    ])
    func aPathHasItsResponse(path: String, status: Int, text: String) async throws {
        try await withServer { server in
            let response = try await get(server, path)
            #expect(response.status == status)
            #expect(response.text == text)
        }
    }

    @Test
    func theRootListsEveryRoute() async throws {
        try await withServer { server in
            let text = try await get(server, "").text
            for route in DemoServer.routes { #expect(text.contains(route.pattern) && text.contains(route.summary)) }
        }
    }

    @Test
    func echoReturnsTheRequest() async throws {
        try await withServer { server in
            let response = try await get(
                server,
                "echo?a=1",
                method: "PUT",
                headers: ["X-Test": "yes"],
                body: Data("hi".utf8)
            )
            let echo = try JSONDecoder().decode(Echo.self, from: response.data)
            #expect(echo.method == "PUT" && echo.path == "/echo" && echo.query == "a=1" && echo.body == "hi")
            #expect(echo.headers["X-Test"] == "yes")
        }
    }

    @Test
    func aHeadRequestGetsTheHeaderFieldsOfGetAndNoContent() async throws {
        try await withServer { server in
            let response = try await get(server, "hello", method: "HEAD")
            #expect(response.status == 200 && response.data.isEmpty)
            #expect(response.header("Content-Length") == "28")
        }
    }

    @Test(arguments: [
        ("redirect/3", "GET", 302, "/redirect/2"), ("redirect/1", "GET", 302, "/hello"),
        ("moved", "POST", 307, "/echo"),
    ])
    func aRedirectPointsAtTheNextStep(path: String, method: String, status: Int, next: String) async throws {
        try await withServer { server in
            let response = try await get(server, path, method: method)
            #expect(response.status == status)
            #expect(response.header("Location") == next)
        }
    }

    @Test(arguments: [("X-Authorization", ""), ("Authorization", "Bearer ")])
    func aTokenIsGoodUntilItExpires(field: String, prefix: String) async throws {
        try await withServer { server in
            let refusal = try await get(server, "private")
            #expect(refusal.status == 401)
            #expect(refusal.header("WWW-Authenticate") == "Bearer")
            let pass = try JSONDecoder().decode([String: String].self, from: await get(server, "auth").data)
            let token = try #require(pass["token"])
            #expect(try await get(server, "private", headers: [field: prefix + token]).status == 200)
            #expect(try await get(server, "expire", method: "POST").status == 204)
            #expect(try await get(server, "private", headers: [field: prefix + token]).status == 401)
        }
    }

    private struct Echo: Decodable {
        let method: String
        let path: String
        let query: String
        let headers: [String: String]
        let body: String
    }

    private func withServer(_ body: (DemoServer) async throws -> Void) async throws {
        let server = try await DemoServer.start()
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }
}
