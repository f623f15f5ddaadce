import Foundation
import SimpleNetworkingFeatureSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// Numbers in header fields and events, at the ends of their range: none ends the process, none is misread.
@Suite(.timeLimit(.minutes(5)))
struct ExtremeNumberTests {
    @Test(arguments: ExtremeNumbers.texts)
    func extremeRetryAfterIsUsedOrIgnored(number: String) throws {
        var policy = RetryPolicy(attempts: 2, backoff: .constant(0.5))
        policy.maxRetryAfter = .infinity
        let head = RequestHead(url: try #require(URL(string: "https://h/")))
        let result = AttemptResult.status(503, ["Retry-After": number])
        let delay = try #require(policy.delay(afterAttempt: 1, of: head, result: result))
        let isNumber = !number.isEmpty && number.allSatisfy(\.isNumber)
        #expect(delay == (isNumber ? min(Double(number) ?? 0, 2_147_483_648) : 0.5))
    }

    @Test(arguments: ["9223372036854775807", "99999999999999999999", String(repeating: "9", count: 400)])
    func traceShowsDelaysOfAnySize(number: String) async throws {
        let clock = VirtualClock()
        let server = StubTransport().on("/", .status(503, headers: ["Retry-After": number]))
        let client = SimpleNetworking(over: server, host: "h", clock: clock) {
            $0.retryPolicy = RetryPolicy(attempts: 2)
            $0.retryPolicy.maxRetryAfter = .infinity
            $0.timeout = .infinity
        }
        let request = client.get("/")
        try await eventually { request.trace.events.contains { if case .retry = $0.kind { true } else { false } } }
        #expect(request.trace.description.contains("retry in 2147483648000 ms"))
        request.cancel()
    }

    @Test(arguments: [TimeInterval.infinity, -.infinity, .nan, 1e308, -1e308, 1e19])
    func eventTimesOfAnySizeAreShown(seconds: Double) throws {
        #expect(!RequestEvent(time: seconds, kind: .retry(after: seconds)).description.isEmpty)
        let head = RequestHead(url: try #require(URL(string: "https://h/")))
        let metrics = TransferMetrics(total: seconds)
        let response = ResponseParts(status: 200, headers: [:], body: Data(), metrics: metrics)
        #expect(!WireMessage(response, to: head, .none).start.isEmpty)
        #expect(!"\(SimpleNetworkingError.Timeout.idle(seconds))".isEmpty)
    }

    @Test
    func backoffWithoutCapIsADelay() {
        let backoff = Backoff.exponential(base: 1, factor: .infinity, cap: .infinity)
        for retry in [1, 2, 5000, .max] { #expect(backoff.delay(beforeRetry: retry) >= 0) }
    }

    @Test(arguments: ExtremeNumbers.texts)
    func extremeContentRangeIsReadOrRefused(number: String) {
        let readable = Int(number).map { $0 >= 0 } ?? false
        #expect((ContentRange("bytes 0-0/\(number)") != nil) == (readable && number != "0"))
        #expect((ContentRange("bytes \(number)-\(number)/*") != nil) == readable)
        #expect(ContentRange("bytes 5-\(number)/\(number)") == nil)
    }

    @Test(arguments: [
        ("Sun, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
        ("9999-12-31T23:59:59-23:59", 253_402_387_139), ("0000-01-01T00:00:00Z", -62_167_219_200),
    ])
    func datesOfAllYearsAreRead(text: String, seconds: Double) {
        #expect((HTTPDate.date(text) ?? InternetDate.date(text)) == Date(timeIntervalSince1970: seconds))
    }

    @Test(arguments: [TimeInterval.infinity, -.infinity, .nan, 1e308, -1e308, 1e12, -1e12])
    func twoDigitYearsAreReadAtAnyTime(now: Double) {
        #expect(HTTPDate.date("Sunday, 06-Nov-94 08:49:37 GMT", now: Date(timeIntervalSince1970: now)) != nil)
    }

    @Test(arguments: ExtremeNumbers.texts)
    func extremeAgeIsAddedOrIgnored(number: String) async {
        let isOld = number.allSatisfy(\.isNumber) && (Double(number) ?? 0) > 60
        let world = CachedWorld()
        world.reply(["Cache-Control": "max-age=60", "Age": number])
        #expect(await world.end() == .fetched)
        world.pass(1)
        #expect(await world.end() == (isOld ? .fetched : .hit))
    }

    @Test(arguments: ExtremeNumbers.texts)
    func extremeMaxAgeIsUsedOrExpired(number: String) async {
        let isLong = number.allSatisfy(\.isNumber) && (Double(number) ?? 0) > 60
        let world = CachedWorld()
        world.reply(["Cache-Control": "max-age=\(number)"])
        #expect(await world.end() == .fetched)
        world.pass(60)
        #expect(await world.end() == (isLong ? .hit : .fetched))
        for name in ["max-age", "max-stale", "min-fresh"] {
            let wish: HTTPHeaders = ["Cache-Control": "\(name)=\(number)"]
            #expect([.fetched, .hit].contains(await world.end(.get, "/x", wish)))
        }
    }

    @Test(arguments: ["5-9223372036854775807/*", "5-9223372036854775806/9223372036854775807"])
    func downloadOfAnyAnnouncedRangeEnds(range: String) async throws {
        let folder = ScratchFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let file = folder.url.appendingPathComponent("film.mp4")
        let begin = StubResponse.text("hello world", headers: ["ETag": "\"1\""]).cut(after: 5)
        let part: HTTPHeaders = ["ETag": "\"1\"", "Content-Range": "bytes \(range)"]
        let rest = StubResponse.text("world", status: 206, headers: part)
        let server = StubTransport().on("/film.mp4", begin, times: 1).on("/film.mp4", rest)
        let client = SimpleNetworking(host: "a.test") { $0.transport = server }
        for _ in 1...2 {
            await #expect(throws: SimpleNetworkingError.self) {
                try await client.download(for: SimpleNetworking.get("/film.mp4"), to: file)
            }
        }
        #expect(server.requests.last?.headers["Range"] == "bytes=5-")
    }

    @Test(arguments: [1e3, 1e12, 1e19, 1e300, -1e3, -1e300, .infinity])
    func ageOfAnOldResponseIsANumberOfSeconds(seconds: Double) async throws {
        let world = CachedWorld()
        world.reply(["Cache-Control": "max-age=60"])
        _ = await world.end()
        world.pass(seconds)
        let (end, response) = await world.send(.get, "/x", [:], .onlyCached)
        #expect(end == .hit)
        #expect(response?.headers["Age"] == String(Int64(min(abs(seconds), 2_147_483_648))))
    }

    @Test(.serialized, arguments: Engine.allCases, ExtremeNumbers.texts)
    func downloadResumesOrFailsForAnyAnnouncedLength(engine: Engine, number: String) async throws {
        // What happens elsewhere is asserted in EngineLimitationTests: it ends the process.
        guard number != "9223372036854775807" || !engine.lacks(.hugeLengths) else { return }
        let folder = ScratchFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let file = folder.url.appendingPathComponent("film.mp4")
        let server = try RawServer { request in
            guard request[header: "Range"] != nil else {
                return .raw("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 10\r\n\r\nhello")
            }
            let range = "Content-Range: bytes 5-9/10\r\nContent-Length: \(number)"
            return .raw("HTTP/1.1 206 Partial\r\nETag: \"1\"\r\n\(range)\r\n\r\nworld")
        }
        let client = try engine.client(server)
        for _ in 1...2 {
            let request = SimpleNetworking.get("/film.mp4").on(progress: { _ in })
            _ = try? await withinSeconds(60) { try await client.download(for: request, to: file) }
        }
        // Without content there is nothing to resume.
        #expect(server.requests.contains { $0[header: "Range"] == "bytes=5-" } != engine.lacks(.pieces))
    }
}
