import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite(.timeLimit(.minutes(5)))
struct LoggingTests {
    private let lines = Recorder<String>()

    private var server: StubTransport {
        StubTransport().on(
            "/login",
            .json(#"{"access_token": "s3cret", "name": "Ada"}"#, headers: ["Set-Cookie": "id=s3cret"])
        )
        .on("/echo", .text("you sent Bearer s3cret", status: 404))
    }

    /// Numbers differ from run to run.
    private var text: String {
        lines.elements.joined(separator: "\n").replacing(/#\d+/, with: "#").replacing(/\d+ ms/, with: "ms")
            .replacing(/:\d+\)/, with: ":0)")
    }

    @Test(arguments: [(LogLevel.none, 0), (.error, 1), (.warning, 2), (.info, 5), (.debug, 7)])
    func eachLevelIncludesTheLevelsBeforeIt(level: LogLevel, count: Int) async throws {
        let client = SimpleNetworking(over: server) { $0.logger = lines.logger(level) }
        let request = client.get("/echo")
        // Only the log shows the end.
        try await eventually { request.trace.events.contains { if case .unhandled = $0.kind { true } else { false } } }
        request.state.withLock { $0.execution }?.ignore("a reason", of: request)
        try await eventually { [lines] in lines.elements.count == count }
        #expect(lines.elements.allSatisfy { LogLevel(String($0.prefix { $0 != " " })).map { $0 <= level } == true })
    }

    @Test
    func noContentPassesForAMessage() {
        lines.logger(.info).log(.info, "a\nb\rSimpleNetworking error: c\u{1B}[1Ad\u{2028}e\tf\u{85}")
        #expect(lines.elements == ["info a\n    b�SimpleNetworking error: c�[1Ad�e\tf�"])
    }

    @Test
    func infoLogsWhatHappened() async throws {
        let client = SimpleNetworking(over: server) { $0.logger = lines.logger(.info) }
        let request = client.get("/login?access_token=s3cret") { $0.on(success: { _ in }) }
        await request.ended()
        #expect(
            text == """
                info # attempt 1: GET https://api.example.com/login?access_token=‹secret› (made at \
                SimpleNetworkingTests/LoggingTests.swift:0)
                info # status 200, 41 bytes
                info # ended: success, status 200
                """
        )
    }

    @Test
    func debugLogsHeadersAndContent() async throws {
        let request = SimpleNetworking.post("/login").body(form: ["password": "s3cret", "user": "ada"])
            .authenticate(withHeader: "Bearer s3cret")
        _ = try await SimpleNetworking(over: server) { $0.logger = lines.logger(.debug) }.send(request)
        #expect(
            text == """
                info # attempt 1: POST https://api.example.com/login (made at SimpleNetworkingTests/LoggingTests.swift:0)
                debug # sends POST https://api.example.com/login
                    Authorization: ‹secret›
                    Accept: */*;q=0.5, application/json
                    User-Agent: \(UserAgent.standard)
                    Content-Type: application/x-www-form-urlencoded
                    
                    password=‹secret›&user=ada
                info # status 200, 41 bytes
                debug # gets status 200 of POST https://api.example.com/login after ms
                    Set-Cookie: ‹secret›
                    Content-Type: application/json
                    
                    {"access_token":"‹secret›","name":"Ada"}
                info # ended: success, status 200
                """
        )
    }

    @Test
    func secretThatTheServerRepeatsIsHiddenInTheLog() async throws {
        let request = SimpleNetworking.get("/echo").authenticate(withHeader: "Bearer s3cret")
        _ = try? await SimpleNetworking(over: server) { $0.logger = lines.logger(.debug) }.send(request)
        #expect(text.contains("you sent ‹secret›"))
        #expect(!text.contains("s3cret"))
    }

    @Test
    func fieldsAddedByAnAuthenticatorAreHiddenInTheLog() async throws {
        let signed = SimpleNetworking(over: server) {
            $0.logger = lines.logger(.debug)
            $0.authenticator = BearerAuthenticator(token: Secret("s3cret"))
        }
        _ = try? await signed.send(SimpleNetworking.get("/echo"))
        #expect(text.contains("Authorization: ‹secret›"))
        #expect(!text.contains("s3cret"))
    }

    @Test
    func theLevelMayBeChangedWhileTheClientRuns() async throws {
        let client = SimpleNetworking(over: server) { $0.logger = lines.logger(.none) }
        _ = try await client.send(SimpleNetworking.get("/login"))
        #expect(lines.elements.isEmpty)
        client.logLevel = .info
        #expect(client.logLevel == .info)
        _ = try await client.send(SimpleNetworking.get("/login"))
        #expect(lines.elements.count == 3)
        client.logLevel = .warning
        _ = try await client.send(SimpleNetworking.get("/login"))
        #expect(lines.elements.count == 3)
    }

    @Test
    func newLogLevelAppliesFromTheNextAttempt() async throws {
        let client = SimpleNetworking(over: StubTransport().on("*", .status(503), times: 1).on("*", .json("{}"))) {
            $0.logger = lines.logger(.none)
        }
        let request = client.get("/x") {
            $0.on(httpStatus: 503) { request, _ in
                client.logLevel = .info
                request.retry()
                return false
            }
        }
        await request.ended()
        #expect(lines.elements.contains { $0.contains("attempt 2: GET") })
        #expect(!lines.elements.contains { $0.contains("attempt 1: GET") })
    }

    @Test
    func anUnhandledErrorNamesTheLineThatMadeTheRequest() async throws {
        let line = #line + 1
        let request = SimpleNetworking(over: server) { $0.logger = lines.logger(.error) }.get("/echo") {
            $0.on(success: { _ in }).on(httpStatus: 404) { _, _ in true }
        }
        try await eventually { [lines] in !lines.elements.isEmpty }
        #expect(text.contains("refused with status 404. The error is unhandled"))
        #expect(text.contains("SimpleNetworkingTests/LoggingTests.swift:\(line)"))
        #expect(request.trace.description.contains("LoggingTests.swift:\(line)"))
    }

    @Test(arguments: 0..<5)
    func handledErrorIsNotLoggedAsAnError(way: Int) async throws {
        let client = SimpleNetworking(over: server) { $0.logger = lines.logger(.error) }
        let ends = Recorder<Int>()
        switch way {
        case 0: await client.get("/echo") { $0.on(error: { _ in ends.add(0) }) }.ended()
        case 1: await client.get("/echo") { $0.on(completion: { _ in ends.add(0) }) }.ended()
        case 2: await client.get("/echo") { $0.on(error: Token.self) { _, _, _ in ends.add(0) } }.ended()
        case 3: _ = try? await client.send(SimpleNetworking.get("/echo"))
        default:
            // A response that came first would be an unhandled error.
            let silent = StubTransport().on("*", .silence)
            let request = SimpleNetworking(over: silent) { $0.logger = lines.logger(.error) }.get("/echo")
            request.cancel()
            await request.ended()
        }
        #expect(lines.elements.isEmpty)
    }

    @Test
    func clientWithoutLoggerAndMonitorsRecordsNothing() async throws {
        let request = SimpleNetworking(over: server) { $0.logger = lines.logger(.warning) }.get("/login")
        await request.ended()
        let execution = try #require(request.state.withLock { $0.execution })
        #expect(execution.state.withLock { $0.log.watcher } == nil)
    }

    @Test(arguments: LogLevel.allCases)
    func levelsAreFoundByTheirNames(level: LogLevel) {
        #expect(LogLevel("\(level)") == level)
        #expect(LogLevel("loud") == nil)
    }
}

@Suite
struct RequestLoggerTests {
    @Test(arguments: [
        (LogLevel.warning, [LogLevel.error, .warning]), (.none, []), (.debug, [.error, .warning, .info, .debug]),
    ])
    func ownMessageIsLoggedAtItsLevel(level: LogLevel, written: [LogLevel]) async {
        let (lines, continuation) = AsyncStream<LogLevel>.makeStream()
        let logger = RequestLogger(level: level) { level, _ in continuation.yield(level) }
        for level in LogLevel.allCases { logger.log(level, "\(level)") }
        continuation.finish()
        var seen: [LogLevel] = []
        for await level in lines { seen.append(level) }
        #expect(seen == written)
    }

    @Test
    func messageBelowTheLevelIsNotEvaluated() {
        func text() -> String {
            Issue.record("it was made")
            return ""
        }
        RequestLogger.silent.log(.error, text())
    }
}
