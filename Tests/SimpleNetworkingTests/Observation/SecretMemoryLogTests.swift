import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// A secret that was sent once is hidden wherever it occurs again, for the life of the client.
@Suite(.timeLimit(.minutes(5)))
struct SecretMemoryLogTests {
    private static let secret = "s3cret t0ken/ä+="

    private let lines = Recorder<String>()

    /// Each way to send a secret.
    enum Way: CaseIterable {
        case bearer, marked, cookie, basic, query, form, json, nested, number, jar, authenticator

        func send(_ secret: String, by client: SimpleNetworking) async throws {
            let request = SimpleNetworking.post("/first")
            switch self {
            case .bearer: request.authenticate(withHeader: "Bearer " + secret)
            case .marked: request.header("X-Mine", secret, isSecret: true)
            case .cookie: request.header("Cookie", "theme=dark; id=" + secret)
            case .basic: request.authenticateBasic(user: "ada", password: secret)
            case .query: request.query(["access_token": secret])
            case .form: request.body(form: ["passcode": secret, "user": "ada"])
            case .json: request.body(json: ["privateKey": secret])
            case .nested: request.body(json: ["user": ["credentials": ["value": secret]]])
            case .number: request.body(json: ["otp": 98_765_432])
            case .jar, .authenticator: break
            }
            _ = try await client.send(request)
        }
    }

    @Test(arguments: Way.allCases)
    func secretOfAnEarlierRequestIsHiddenLater(way: Way) async throws {
        // A cookie's value can't hold all characters, and a number is one.
        let secret =
            switch way {
            case .number: "98765432"
            case .cookie, .jar: "s3cret-t0ken"
            default: Self.secret
            }
        let server = StubTransport().on("/first", .json("{}")).on("*") { _ in
            .json(
                #"{"refused": "\#(secret)", "text": "it was \#(secret)."}"#,
                status: 409,
                headers: ["X-Echo": "was \(secret)", "Warning": secret]
            )
        }
        let client = SimpleNetworking(over: server) {
            $0.logger = lines.logger(.debug)
            if way == .authenticator { $0.authenticator = BearerAuthenticator(token: Secret(secret)) }
            if way == .jar {
                let jar = CookieJar()
                if let url = URL(string: "https://api.example.com/"),
                    let cookie = Cookie(setCookie: "id=\(secret)", from: url)
                {
                    jar.store(cookie)
                }
                $0.cookieJar = jar
            }
        }
        try await way.send(secret, by: client)
        // After signing out, nothing in this exchange marks it as a secret.
        let path = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let later = SimpleNetworking.get("/later/\(path)").header("X-Other", "it is \(secret)").on(error: { _ in })
        let outcome = await later.execute(on: client).ended()
        guard case .failure(let error) = outcome else { Issue.record("a success"); return }
        let texts = [error.description, later.trace.description, lines.elements.joined(separator: "\n")]
        for text in texts { #expect(leaks(of: secret, in: text).isEmpty, "\(text)") }
        #expect(leaks(of: secret, in: error).isEmpty, "\(error)")
        #expect(lines.elements.contains { $0.contains("it was ‹secret›.") })
        #expect(try await !later.curl(on: client).contains(secret))
        #expect(await !later.explain(status: 200, on: client).contains(path))
    }

    @Test
    func oldTokenRepeatedUnderAnotherNameIsHidden() async throws {
        let server = StubTransport().on(
            "*",
            .json(#"{"access_token": "n3w-token", "refused": "0ld-token", "also": "n3w-token"}"#)
        )
        let request = SimpleNetworking.post("/token").body(form: [
            "grant_type": "refresh_token", "refresh_token": "0ld-token",
        ])
        _ = try await SimpleNetworking(over: server) { $0.logger = lines.logger(.debug) }.send(request)
        let text = lines.elements.joined(separator: "\n")
        #expect(text.contains(#""refused":"‹secret›""#))
        for secret in ["0ld-token", "n3w-token"] { #expect(!text.contains(secret)) }
    }

    @Test(arguments: [LogLevel.error, .info])
    func errorsOfLaterRequestsHideEarlierSecrets(level: LogLevel) async throws {
        let failure = NetworkFailure(.other, detail: "at 0ld-token")
        let server = StubTransport().on("/first", .json("{}")).on("*", .failure(failure))
        let client = SimpleNetworking(over: server) { $0.logger = lines.logger(level) }
        _ = try await client.send(SimpleNetworking.get("/first").authenticate(withHeader: "Bearer 0ld-token"))
        let request = client.get("/x/0ld-token")
        try await eventually { request.trace.events.contains { if case .unhandled = $0.kind { true } else { false } } }
        try await eventually { [lines] in lines.elements.contains { $0.contains("is unhandled") } }
        #expect(!lines.elements.joined().contains("0ld-token"))
        #expect(!request.trace.description.contains("0ld-token"))
        #expect(lines.elements.joined().contains("/x/‹secret›"))
    }

    /// Half a secret, or one whose blanks were joined, would not be found.
    @Test(arguments: [0, 180, 190, 4080, 4090])
    func earlierSecretsAreHiddenBeforeATextIsCutOrJoined(at index: Int) async throws {
        let secret = "0ld  token  with  blanks"
        let text = String(repeating: "x", count: index) + secret
        let client = SimpleNetworking(over: StubTransport().on("/first", .json("{}")).on("*", .text(text, status: 404)))
        {
            $0.logger = lines.logger(.debug)
        }
        _ = try await client.send(SimpleNetworking.post("/first").body(form: ["password": secret]))
        let error = await client.get("/later") { $0.on(error: { _ in }) }.ended().error
        #expect(!"\(try #require(error))".contains("0ld") && !lines.elements.joined().contains("0ld"))
    }

    @Test
    func earlierSecretsAreHiddenInTheNameOfAFileThatIsSent() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("0ld-token-\(UUID().uuidString)")
        try Data("content".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let client = SimpleNetworking(over: StubTransport().on("*", .json("{}"))) {
            $0.logger = lines.logger(.debug)
        }
        _ = try await client.send(SimpleNetworking.get("/first").authenticate(withHeader: "Bearer 0ld-token"))
        _ = try await client.send(SimpleNetworking.put("/x").body(file: file, contentType: .text))
        let text = lines.elements.joined()
        #expect(text.contains("(the content of ") && !text.contains("0ld-token"))
    }

    @Test
    func shortAndPlainTextsAreNotTakenForSecrets() async throws {
        let server = StubTransport().on("*", .text("a pin is true of 1234 things that are dark"))
        let client = SimpleNetworking(over: server) { $0.logger = lines.logger(.debug) }
        let request = SimpleNetworking.post("/x").body(json: ["pin": "a", "token": "true"])
            .header("Cookie", "theme=dark; n=1234")
        _ = try await client.send(request)
        _ = try await client.send(SimpleNetworking.get("/y"))
        #expect(lines.elements.joined().contains("a pin is true of 1234 things that are dark"))
    }

    @Test
    func secretsAreRememberedPerClient() async throws {
        let server = StubTransport().on("*", .text("it was 0ld-token"))
        _ = try await SimpleNetworking(over: server) { $0.logger = lines.logger(.none) }.send(
            SimpleNetworking.get("/x").authenticate(withHeader: "Bearer 0ld-token")
        )
        _ = try await SimpleNetworking(over: server) { $0.logger = lines.logger(.debug) }.send(
            SimpleNetworking.get("/x")
        )
        #expect(lines.elements.joined().contains("it was 0ld-token"))
    }

    @Test(arguments: Engine.allCases)
    func secretRepeatedByALaterResponseIsHidden(engine: Engine) async throws {
        let server = try RawServer { request in
            request.path == "/first"
                ? .json("{}") : .response(status: 404, headers: ["X-Echo": "0ld-token"], body: "no 0ld-token")
        }
        let client = try engine.client(server) {
            $0.logger = lines.logger(.debug)
        }
        _ = try await client.send(SimpleNetworking.get("/first").authenticate(withHeader: "Bearer 0ld-token"))
        let request = client.get("/0ld-token") { $0.on(error: { _ in }) }
        await request.ended()
        #expect(server.requests.last?.path == "/0ld-token")
        let text = lines.elements.joined(separator: "\n") + request.trace.description
        #expect(!text.contains("0ld-token") && text.contains("no ‹secret›") && text.contains("X-Echo: ‹secret›"))
    }
}
