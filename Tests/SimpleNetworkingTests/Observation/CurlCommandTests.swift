import Foundation
import SimpleNetworkingCore
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CurlCommandTests {
    private let server = StubTransport()
    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server)
    }

    /// Has `sh` run the command with a `curl` that prints its arguments.
    private func arguments(of command: String) throws -> [String] {
        let curl = "curl() { for a in \"$@\"; do printf '%s\\0' \"$a\"; done; cat >/dev/null; }\n"
        let data = try ChildProcess.output(of: curl + command)
        return data.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test
    func curlShowsWhatWouldBeSentWithoutSecrets() async throws {
        let request = SimpleNetworking.post(
            "/notes?access_token=s3cret",
            body: ["text": "it's late", "password": "s3cret"]
        )
        .authenticate(withHeader: "Bearer s3cret").header("User-Agent", "Tests/1")
        let command = try await request.curl(on: client)
        #expect(!command.contains("s3cret"))
        #expect(
            try arguments(of: command) == [
                "-X", "POST", "https://api.example.com/notes?access_token=‹secret›", "-H", "Authorization: ‹secret›",
                "-H", "User-Agent: Tests/1", "-H", "Accept: */*;q=0.5, application/json", "-H",
                "Content-Type: application/json", "--data-raw",
                #"{"password":"‹secret›","text":"it's late"}"#,
            ]
        )
        #expect(server.requests.isEmpty)
    }

    @Test
    func curlHidesASecretThatTheShellNeedsQuoted() async throws {
        struct Lock: Encodable, Sendable { let phrase: Secret }
        let command = try await SimpleNetworking.post("/x", body: Lock(phrase: Secret("it's-hunter2"))).curl(on: client)
        #expect(try arguments(of: command).last == #"{"phrase":"‹secret›"}"#)
    }

    @Test
    func curlShowsSecretsIfRequested() async throws {
        let signing = SimpleNetworking(over: server) {
            $0.authenticator = BearerAuthenticator(token: Secret("s3cret"))
        }
        let arguments = try arguments(
            of: await SimpleNetworking.get("/x?token=t").curl(on: signing, showsSecrets: true)
        )
        #expect(arguments.first == "https://api.example.com/x?token=t")
        #expect(arguments.contains("Authorization: Bearer s3cret"))
        #expect(try await !SimpleNetworking.get("/x").curl(on: signing).contains("s3cret"))
    }

    @Test(arguments: [
        "'; rm -rf /; '", "$(id)", "`id`", "a\nb", "\\", "\"", "!x", "@/etc/passwd", "-X", "ü “x”", "%0A", "''''",
    ])
    func curlQuotesEveryPartOfARequest(text: String) async throws {
        let request = SimpleNetworking.put("/x", query: ["q": text]).body(text: text)
        if !text.contains("\n") { request.header("X-A", text) }
        let arguments = try arguments(of: await request.curl(on: client, showsSecrets: true))
        #expect(arguments.last == text)
        #expect(arguments.contains("X-A: \(text)") == !text.contains("\n"))
        #expect(arguments.prefix(2) == ["-X", "PUT"])
    }

    /// Base64 would hide it from the eye alone.
    @Test(
        arguments: [
            (
                "multipart/form-data; boundary=b",
                "--b\r\nContent-Disposition: form-data; name=password\r\n\r\ns3cret\r\n--b--"
            ),
            ("application/json", "\u{0}{\u{0}}"), ("application/octet-stream", "s3cret\u{0}"),
        ] as [(MediaType, String)]
    )
    func curlShowsNoContentInWhichSecretsCannotBeFound(type: MediaType, text: String) async throws {
        let request = SimpleNetworking.post("/x").body(data: Data(text.utf8), contentType: type)
        let command = try await request.curl(on: client)
        #expect(command.hasPrefix("# Pipe the content in: \(text.utf8.count) bytes.\ncurl"))
        #expect(command.hasSuffix("--data-binary @-"))
        let whole = try await request.curl(on: client, showsSecrets: true)
        let bytes = Data(text.utf8).base64EncodedString()
        #expect(try text.contains("\u{0}") ? whole.contains(bytes) : arguments(of: whole).last == text)
    }

    @Test
    func curlNamesBytesFilesAndStreams() async throws {
        let bytes = SimpleNetworking.post("/x").body(data: Data([0xFF, 0, 1]), contentType: "image/png")
        #expect(try await bytes.curl(on: client).hasPrefix("printf %s '/wAB' | base64 -d | curl"))
        let file = SimpleNetworking.put("/x").body(file: URL(fileURLWithPath: "/tmp/it's"), contentType: .text)
        #expect(try arguments(of: await file.curl(on: client)).last == "@/tmp/it's")
        let stream = SimpleNetworking.put("/x").body(streamOfLength: 7, contentType: .text) { nil }
        #expect(try await stream.curl(on: client).hasPrefix("# Pipe the content in: a stream of 7 bytes.\ncurl"))
        let head = try arguments(of: await SimpleNetworking.head("/x").header("X-E", "").curl(on: client))
        #expect(head.first == "--head" && head.contains("X-E;"))
    }

    @Test
    func explainShowsWhatWouldBeSentAndWhichHandlersWouldRun() async throws {
        let request = SimpleNetworking.get("/x?token=s3cret")
            .on(error: { _ in })
            .on(success: { _ in })
            .on(httpStatus: .clientError) { _, _ in true }
            .on(completion: { _ in })
            .on(httpStatus: 401) { _, _ in true }
            .on(page: .links(), of: Int.self) { _ in true }
        func names(_ status: Int) async -> [String] {
            await request.explain(status: status, on: client).split(separator: "\n")
                .filter { $0.contains("handler for ") && $0.contains("CurlCommandTests.swift:") }
                .map { String($0.replacing(/^\d+\. handler for | \(.*/, with: "")) }
        }
        #expect(await names(401) == ["status 400...499", "status 401", "error", "completion"])
        #expect(await names(200) == ["page", "success", "completion"])
        let text = await request.explain(status: 500, on: client)
        #expect(text.hasPrefix("GET https://api.example.com/x?token=‹secret›\nAccept: */*;q=0.5, application/json\n"))
        #expect(server.requests.isEmpty)
        let mistake = await SimpleNetworking.get("/x").body(text: "x").explain(status: 200, on: client)
        #expect(mistake.contains("GET /x would not be sent.") && mistake.contains("no handler would run"))
        // Else its end warns that it was never executed.
        request.cancel()
    }
}
