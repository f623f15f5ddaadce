import DemoServer
import Foundation
import Testing

// One after another: each starts programs, and other tests measure time.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct RequestCommandTests {
    @Test
    func aSuccessfulResponseIsShown() async throws {
        try await withServer { server, url in
            let run = try await Run("request", "get", url + "/hello")
            #expect(run.status == 0)
            // Into a pipe, as here: another program reads the content.
            #expect(run.output == #"{"greeting":"Hello, world!"}"#)
            #expect(run.errors.wholeMatch(of: /HTTP 200  28 bytes  \d+ ms\n/) != nil)
        }
    }

    #if os(Linux)
        @Test
        func aTerminalShowsTheStatusAndIndentedJSON() async throws {
            try await withServer { server, url in
                let run = try await Run(terminal: "request \(url)/hello")
                let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
                    .map { $0.trimmingCharacters(in: .controlCharacters) }
                #expect(lines.first?.wholeMatch(of: /HTTP 200  28 bytes  \d+ ms/) != nil)
                #expect(lines.dropFirst() == ["", "{", #"  "greeting": "Hello, world!""#, "}", ""])
            }
        }
    #endif

    @Test
    func verboseShowsWhatWasSentWithoutItsSecrets() async throws {
        try await withServer { server, url in
            let run = try await Run(
                "request",
                url + "/echo?a=1",
                "--json",
                #"{"b": 2}"#,
                "-H",
                "X-Test: 7",
                "--bearer",
                "t0ken",
                "-v"
            )
            #expect(run.errors.hasPrefix("POST \(url)/echo?a=1\n"))
            for line in ["X-Test: 7", "Content-Type: application/json", "Authorization: ‹secret›", #"{"b": 2}"#] {
                #expect(run.errors.contains("\n\(line)\n"), "\(line)")
            }
            #expect(!run.errors.contains("t0ken"))
        }
    }

    @Test
    func optionsShowMore() async throws {
        try await withServer { server, url in
            let run = try await Run("request", "GET", url + "/redirect/1", "--verbose")
            #expect(run.errors.contains("Content-Type: application/json"))
            #expect(run.errors.contains("redirect 302 to \(url)/hello"))
            #expect(run.errors.contains("attempt 1: GET \(url)/redirect/1"))
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
            #expect(run.output.contains("There is no user 7."))
            #expect(run.errors.hasPrefix("HTTP 404 "))
            #expect(run.errors.contains("\nGET \(url)/users/7 was refused with status 404. The response says: "))
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

    @Test
    func whatCanBeLeftOutIsAdded() async throws {
        try await withServer { server, url in
            let port = try #require(server.baseURL.port)
            #expect(try await Run("request", "127.0.0.1:\(port)/hello").status == 0)
            #expect(try await Run("request", ":\(port)/echo").echo().method == "GET")
            let echo = try await Run("request", url + "/echo", "--form", "a=1 2", "--form", "b=x=y&z").echo()
            #expect(echo.method == "POST" && echo.body == "a=1+2&b=x%3Dy%26z")
            #expect(echo.field("Content-Type") == "application/x-www-form-urlencoded")
        }
    }

    @Test
    func credentialsAndTheQueryAreSent() async throws {
        try await withServer { server, url in
            let basic = try await Run("request", url + "/echo?a=1", "--auth", "ada:l:ove", "-q", "b=2 3").echo()
            #expect(basic.field("Authorization") == "Basic \(Data("ada:l:ove".utf8).base64EncodedString())")
            #expect(basic.query == "a=1&b=2%203")
            let bearer = try await Run("request", url + "/echo", "--bearer", "t0ken").echo()
            #expect(bearer.field("Authorization") == "Bearer t0ken")
        }
    }

    @Test
    func contentIsReadFromStandardInputAndFromFiles() async throws {
        try await withServer { server, url in
            let piped = try await Run(["request", url + "/echo", "--json", "@-"], input: "[1, 2]").echo()
            #expect(piped.body == "[1, 2]" && piped.field("Content-Type") == "application/json")
            let folder = try Folder()
            try Data("of a file".utf8).write(to: folder.file("a.txt"))
            let read = try await Run("request", url + "/echo", "--data", "@" + folder.file("a.txt").path).echo()
            #expect(read.body == "of a file" && read.field("Content-Type")?.hasPrefix("text/plain") == true)
            let sent = try await Run("request", "PUT", url + "/echo", "--file", folder.file("a.txt").path).echo()
            #expect(sent.body == "of a file" && sent.field("Content-Type") == "application/octet-stream")
        }
    }

    @Test
    func theContentAloneIsPrintedOrWritten() async throws {
        try await withServer { server, url in
            let run = try await Run("request", url + "/hello", "--body")
            #expect(run.output == #"{"greeting":"Hello, world!"}"#)
            let folder = try Folder()
            let file = folder.file("hello.json")
            let written = try await Run("request", url + "/hello", "--output", file.path)
            #expect(written.output == "" && written.errors.wholeMatch(of: /HTTP 200  28 bytes  \d+ ms\n/) != nil)
            #expect(try Data(contentsOf: file) == Data(run.output.utf8))
        }
    }

    @Test
    func theCommandForCurlSendsTheSameAndThisSendsNothing() async throws {
        try await withServer { server, url in
            let run = try await Run(
                "request",
                url + "/echo",
                "--json",
                #"{"a": "it's"}"#,
                "--bearer",
                "t0ken",
                "--curl"
            )
            #expect(run.output.hasPrefix("curl \\\n  -X 'POST' \\\n") && run.output.contains("Bearer t0ken"))
            #expect(await server.log.lines.isEmpty)
        }
    }

    @Test
    func aRedirectIsShownIfItIsNotToBeFollowed() async throws {
        try await withServer { server, url in
            let run = try await Run("request", url + "/redirect/1", "--no-follow", "-v")
            #expect(run.status == 0)
            #expect(run.errors.contains("HTTP 302 ") && run.errors.contains("Location: /hello"))
            #expect(!run.errors.contains("was redirected, and"))
        }
    }

    @Test
    func aTimeoutEndsTheRequest() async throws {
        try await withServer { server, url in
            let run = try await Run("request", url + "/slow", "--timeout", "0.2")
            #expect(run.status == 1 && run.errors.contains("within its timeout of 0.2 s"))
        }
    }

    @Test(arguments: [
        (["GET", "ftp://example.com"], "no http or https URL"),
        (["GET", "http://"], "no http or https URL"), (["GET", "a b"], "no http or https URL"),
        (["POST", "http://127.0.0.1", "--json", "{"], "not JSON"),
        (["POST", "http://127.0.0.1", "--json", "{}", "--data", "a"], "not both"),
        (["GET", "http://127.0.0.1", "--header", "nonsense"], "header"),
        (["GET", "http://127.0.0.1", "--retry=-1"], "0 or more"),
        (["GET", "http://127.0.0.1", "--timeout", "0"], "more than 0"),
        (["GET", "http://127.0.0.1", "--auth", "a:b", "--bearer", "c"], "not both"),
        (["GET", "http://127.0.0.1", "--body", "--verbose"], "not both"),
        (["GET", "http://127.0.0.1", "--form", "nonsense"], "form"),
        (["POST", "http://127.0.0.1", "--data", "@/nowhere/none"], "can't be read"),
        ([], "The URL is missing"), (["get"], "The URL is missing. Give a URL after get."),
        (["PSOT", "http://127.0.0.1"], "“PSOT” is no method. Did you mean POST?"),
        (["gett", "http://127.0.0.1"], "“gett” is no method. Did you mean GET?"),
        (["GET", "http://127.0.0.1", "--jsn", "{}"], "Unknown option '--jsn'. Did you mean '--json'?"),
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
