import SimpleNetworking
import SimpleNetworkingTesting
import Testing

@Suite
struct RequestLoggerTests {
    @Test(arguments: [
        (LogLevel.warning, [LogLevel.error, .warning]), (.none, []), (.debug, [.error, .warning, .info, .debug]),
    ])
    func aClientsOwnMessageIsWrittenIfItsLevelIsWanted(level: LogLevel, written: [LogLevel]) async {
        let (lines, continuation) = AsyncStream<LogLevel>.makeStream()
        let logger = RequestLogger(level: level) { level, _ in continuation.yield(level) }
        for level in LogLevel.allCases { logger.log(level, "\(level)") }
        continuation.finish()
        var seen: [LogLevel] = []
        for await level in lines { seen.append(level) }
        #expect(seen == written)
    }

    @Test
    func aMessageThatNobodyWantsIsNotMade() {
        func text() -> String {
            Issue.record("it was made")
            return ""
        }
        RequestLogger.silent.log(.error, text())
    }
}
