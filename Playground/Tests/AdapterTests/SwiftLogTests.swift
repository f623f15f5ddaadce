import Adapters
import InMemoryLogging
import Logging
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// The adapter for swift-log.
@Suite(.timeLimit(.minutes(1)))
struct SwiftLogTests {
    private let handler = InMemoryLogHandler()
    private let server = StubTransport().on("/user", .json("{}")).on("/none", .status(404))

    private func client(_ level: Logger.Level) -> SimpleNetworking {
        var logger = Logger(label: "api") { _ in handler }
        logger.logLevel = level
        return SimpleNetworking(host: "api.example.com") {
            ($0.transport, $0.logger) = (server, RequestLogger(logger))
        }
    }

    @Test
    func theMessagesOfARequestAreLoggedWithItsNumberAndWithoutSecrets() async throws {
        _ = try await client(.info).send(SimpleNetworking.get("/user?access_token=s3cret"))
        let entries = handler.entries
        #expect(entries.map(\.level) == [.info, .info, .info])
        #expect(entries.first?.message.description.contains("attempt 1: GET https://api.example.com/user") == true)
        #expect(entries.last?.message.description.hasSuffix("ended: success, status 200") == true)
        let number = try #require(entries.first?.metadata["request"])
        #expect(entries.allSatisfy { $0.metadata["request"] == number })
        #expect(entries.allSatisfy { $0.message.description.hasPrefix("#\(number) ") })
        #expect(!"\(entries)".contains("s3cret"))
    }

    @Test(arguments: [
        (Logger.Level.trace, LogLevel.debug, [Logger.Level.debug, .error, .info]),
        (.debug, .debug, [.debug, .error, .info]), (.info, .info, [.error, .info]), (.notice, .warning, [.error]),
        (.warning, .warning, [.error]), (.error, .error, [.error]), (.critical, .none, []),
    ])
    func onlyWhatTheLoggersLevelLetsThroughIsMade(
        level: Logger.Level,
        made: LogLevel,
        expected: [Logger.Level]
    ) async throws {
        let api = client(level)
        #expect(api.logLevel == made)
        let ended = Gate()
        // Neither awaited nor with an error handler: the error is logged as unhandled.
        api.get("/none") { $0.on(start: { _ in ended.open() }) }
        try await ended.wait()
        if expected.contains(.error) {
            while !handler.entries.contains(where: { $0.level == .error }) { await Task.yield() }
        } else {
            await api.get("/user").ended()
        }
        let levels = Set(handler.entries.map(\.level))
        #expect(levels == Set(expected))
        #expect(handler.entries.first { $0.level == .error }?.metadata["request"] == nil)
    }

    @Test
    func theLevelCanBeChangedLater() async throws {
        let api = client(.debug)
        api.logLevel = .warning
        _ = try await api.send(SimpleNetworking.get("/user"))
        #expect(handler.entries.isEmpty)
    }
}
