import DemoServer
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RequestCommandTests {
    @Test
    func aSuccessfulResponseIsShown() async throws {
        try await withServer { server, url in
            let run = try await Run("request", "get", url + "/hello")
            #expect(run.status == 0 && run.errors == "")
            let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.first?.wholeMatch(of: /HTTP 200  28 bytes  \d+ ms/) != nil)
            #expect(lines.dropFirst() == ["", #"{"greeting":"Hello, world!"}"#, ""])
        }
    }

    @Test
    func optionsShowMore() async throws {
        try await withServer { server, url in
            let run = try await Run("request", "GET", url + "/redirect/1", "--verbose")
            #expect(run.output.contains("Content-Type: application/json"))
            #expect(run.output.contains("redirect 302 to \(url)/hello"))
            #expect(run.output.contains("attempt 1: GET \(url)/redirect/1"))
        }
    }

    @Test
    func headersAndJSONAreSent() async throws {
        try await withServer { server, url in
            let arguments = [
                "request", "POST", url + "/echo?a=1", "--json", #"{"b": 2}"#, "-H", "X-Test: one: two", "--header",
                "X-Empty:",
            ]
            let echo = try await Run(arguments).echo()
            #expect(echo.method == "POST" && echo.query == "a=1" && echo.body == #"{"b": 2}"#)
            #expect(echo.field("X-Test") == "one: two")
            #expect(echo.field("Content-Type") == "application/json")
        }
    }

    @Test
    func plainTextIsSent() async throws {
        try await withServer { server, url in
            let echo = try await Run("request", "PUT", url + "/echo", "--data", "some text").echo()
            #expect(echo.method == "PUT" && echo.body == "some text")
            #expect(echo.field("Content-Type")?.hasPrefix("text/plain") == true)
        }
    }

    @Test
    func aRejectionIsShownAndExitsWithAnError() async throws {
        try await withServer { server, url in
            let run = try await Run("request", "GET", url + "/users/7")
            #expect(run.status == 1)
            #expect(run.output.hasPrefix("HTTP 404 ") && run.output.contains("There is no user 7."))
            #expect(run.errors.hasPrefix("GET \(url)/users/7 was refused with status 404. The response says: "))
        }
    }

    @Test
    func aClosedPortEndsWithAClearError() async throws {
        let server = try await DemoServer.start()
        await server.stop()
        let run = try await Run("request", "GET", server.baseURL.absoluteString + "/hello")
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(run.errors.contains("got no response: the connection was refused"))
    }

    @Test
    func aServerErrorIsRetried() async throws {
        try await withServer { server, url in
            let run = try await Run("request", "GET", url + "/status/503", "--retry", "1")
            #expect(run.status == 1)
            #expect(await server.log.count(of: "GET /status/503") == 2)
        }
    }

    @Test(arguments: [
        (["GET", "ftp://example.com"], "no http or https URL"),
        (["GET", "example.com"], "no http or https URL"),
        (["POST", "http://127.0.0.1", "--json", "{"], "not JSON"),
        (["POST", "http://127.0.0.1", "--json", "{}", "--data", "a"], "not both"),
        (["GET", "http://127.0.0.1", "--header", "nonsense"], "header"),
        (["GET", "http://127.0.0.1", "--retry=-1"], "0 or more"),
        (["GET"], "Missing expected argument"),
    ])
    func invalidArgumentsAreErrors(arguments: [String], reason: String) async throws {
        let run = try await Run(["request"] + arguments)
        #expect(run.status == 64)
        #expect(run.errors.contains(reason), "\(run.errors)")
    }

    private func withServer(_ body: (DemoServer, String) async throws -> Void) async throws {
        let server = try await DemoServer.start()
        do {
            try await body(server, server.baseURL.absoluteString)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }
}
