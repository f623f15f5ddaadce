import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTraffic

/// Event streams that go on after their connection, as the HTML standard wants.
@Suite(.timeLimit(.minutes(5)))
struct EventReconnectionTests {
    private let server = StubTransport()
    private let clock = VirtualClock()

    private static func stream(_ text: StubPiece) -> StubResponse {
        .pieces(text, type: "text/event-stream")
    }

    private var client: SimpleNetworking { SimpleNetworking(over: server, clock: clock) }

    /// Reads events until the end or an error, while time passes; returns their texts, the error, and the delays.
    private func read() async -> (events: [String], error: (any Error)?, delays: [TimeInterval]) {
        let events = Recorder<String>()
        let (error, times) = await clock.advancing(to: .retry) { () -> (any Error)? in
            do {
                for try await event in client.events(for: SimpleNetworking.get("/news"), reconnects: true) {
                    events.add(event.data)
                }
                return nil
            } catch { return error }
        }
        return (events.elements, error, zip(times, [0] + times).map { $0 - $1 })
    }

    private var sentIDs: [String?] { server.requests.map { $0.headers["Last-Event-ID"] } }

    @Test
    func itGoesOnAfterTheLastEventUntilA204() async {
        server.on(
            "/news",
            .replies(
                Self.stream("id: 1\ndata: a\n\ndata: b\n\n"),
                Self.stream("data: c\n\nid: 2\n\n"),
                Self.stream("id\ndata: d\n\n"),
                .status(204)
            )
        )
        let (events, error, delays) = await read()
        #expect(events == ["a", "b", "c", "d"])
        #expect(error == nil)
        #expect(sentIDs == [nil, "1", "2", nil])
        #expect(delays.count == 3)
        for delay in delays { #expect((3...3.75).contains(delay)) }
    }

    /// A redirect that isn't permanent may lead elsewhere the next time.
    @Test
    func eachConnectionBeginsAtTheFirstURLAndFollowsItsRedirect() async {
        server.on("/news", .replies(.redirect(to: "/a"), .redirect(to: "/b")))
            .on("/a", Self.stream("id: 1\ndata: a\n\n")).on("/b", .status(204))
        let (events, error, _) = await read()
        #expect(events == ["a"])
        #expect(error == nil)
        #expect(server.log == ["GET /news", "GET /a", "GET /news", "GET /b"])
        #expect(sentIDs == [nil, nil, "1", "1"])
    }

    /// Browsers send it there, too, and it is no credential.
    @Test
    func itGoesOnAfterARedirectToAnotherOrigin() async {
        server.on("https://api.example.com/news", .redirect(to: "https://push.example.net/news", status: 307))
        server.on(
            "https://push.example.net/news",
            .replies(Self.stream("id: 1\ndata: a\n\n"), Self.stream("data: b\n\n"), .status(204))
        )
        let (events, error, _) = await read()
        #expect(events == ["a", "b"])
        #expect(error == nil)
        #expect(sentIDs == [nil, nil, "1", "1", "1", "1"])
    }

    @Test
    func anEventThatWasNotFinishedDoesNotCount() async {
        server.on(
            "/news",
            .replies(Self.stream("id: 1\ndata: a\n\nid: 2\ndata: b\n"), Self.stream("data: c\n\n"), .status(204))
        )
        #expect(await read().events == ["a", "c"])
        #expect(sentIDs == [nil, "1", "1"])
    }

    @Test
    func theServersTimeIsKeptEvenWithoutAnEvent() async {
        server.on("/news", .replies(Self.stream("retry: 10000\n\n"), Self.stream("data: a\n\n"), .status(204)))
        let (events, _, delays) = await read()
        #expect(events == ["a"])
        #expect(delays.count == 2)
        for (delay, expected) in zip(delays, [10...12.5, 10...12.5]) { #expect(expected.contains(delay)) }
    }

    @Test
    func connectionsThatBringNothingBecomeRarer() async {
        let lost = StubResponse.failure(NetworkFailure(.connectionLost))
        server.on(
            "/news",
            .replies(lost, .status(503), lost, lost, lost, Self.stream("data: a\n\n"), lost, .status(204))
        )
        let (events, error, delays) = await read()
        #expect(events == ["a"])
        #expect(error == nil)
        let expected: [TimeInterval] = [3, 6, 12, 24, 48, 3, 6]
        #expect(delays.count == expected.count)
        for (delay, least) in zip(delays, expected) { #expect((least...least * 1.25).contains(delay)) }
    }

    @Test
    func aServerThatNamesNoTimeIsNotAskedWithoutAPause() async {
        let nothing = Self.stream("retry: 0\n\n")
        server.on("/news", .replies(nothing, nothing, nothing, nothing, .status(204)))
        let (_, error, delays) = await read()
        #expect(error == nil)
        #expect(delays.count == 4)
        for (delay, least) in zip(delays, [0, 0.5, 1, 2]) { #expect((least...least * 1.25).contains(delay)) }
    }

    @Test
    func retryAfterIsHeeded() async {
        server.on(
            "/news",
            .replies(.status(503, headers: ["Retry-After": "100"]), Self.stream("data: a\n\n"), .status(204))
        )
        let (events, _, delays) = await read()
        #expect(events == ["a"])
        #expect(delays.first == 100)
    }

    @Test(arguments: [-3600, 3600] as [TimeInterval])
    func aRetryAfterDateIsReadByTheServersOwnClock(offset: Double) async {
        let server = Date(timeIntervalSinceNow: offset)
        let headers: HTTPHeaders = [
            "Date": HTTPDateFormat().text(server), "Retry-After": HTTPDateFormat().text(server + 100),
        ]
        self.server.on("/news", .replies(.status(503, headers: headers), .status(204)))
        #expect(await read().delays == [100])
    }

    @Test(arguments: [
        StubResponse.status(404), .status(401), .status(501), .text("no stream"), .status(201), .status(205),
        .status(206, headers: ["Content-Type": "text/event-stream"]), .status(304),
    ])
    func otherEndsAreFinal(response: StubResponse) async {
        server.on("/news", .replies(Self.stream("data: a\n\n"), response))
        let (events, error, _) = await read()
        #expect(events == ["a"])
        #expect(error != nil)
        #expect(server.requests.count == 2)
    }

    @Test
    func cancellingEndsTheWait() async {
        server.on("/news", Self.stream("data: a\n\n"))
        let client = client
        let read = Recorder<String>()
        let task = Task {
            for try await event in client.events(for: SimpleNetworking.get("/news"), reconnects: true) {
                read.add(event.data)
            }
        }
        await clock.alarms(1, for: .retry)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(read.elements == ["a"])
        #expect(server.requests.count == 1)
    }

    @Test
    func byDefaultTheSequenceEndsWithTheStream() async throws {
        server.on("/news", Self.stream("id: 1\ndata: a\n\n"))
        var events: [String] = []
        for try await event in client.events(for: SimpleNetworking.get("/news")) { events.append(event.data) }
        #expect(events == ["a"])
        #expect(server.requests.count == 1)
    }

    /// Of a caller's session, nothing is seen before the end.
    @Test(arguments: Engine.allCases.filter { $0 != .callersSession })
    func overSocketsItGoesOnWhenTheServerCutsTheConnection(engine: Engine) async throws {
        let count = Locked(0)
        let server = try RawServer { request in
            let number = count.next()
            let id = request[header: "Last-Event-ID"] ?? "0"
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 1000\r\n\r\n"
            // The connection is cut in the middle of an event.
            let text = "retry: 1\nid: \(number)\ndata: \(number) after \(id)\n\ndata: x"
            return RawServer.Reply([.send(Data((head + text).utf8))], end: .close)
        }
        let client = try engine.client(server)
        var events: [String] = []
        for try await event in client.events(for: SimpleNetworking.get("/news"), reconnects: true) {
            events.append(event.data)
            if events.count == 5 { break }
        }
        #expect(events == ["1 after 0", "2 after 1", "3 after 2", "4 after 3", "5 after 4"])
    }

    private static let head = RequestHead(method: .post, url: URL(fileURLWithPath: "/token"))

    private static func response(_ status: Int) -> SimpleResponse {
        SimpleResponse(request: head, httpStatus: status, headers: [:], data: Data())
    }

    /// Why no token came while the machine was offline, or the server of tokens was down.
    private static let passing: [any Error] =
        [
            NetworkFailure(.offline), NetworkFailure(.cannotFindHost), NetworkFailure(.connectionLost),
            SimpleNetworkingError.networkingError(NetworkFailure(.cannotConnect), head),
            SimpleNetworkingError.timedOut(.attempt(60), head), SimpleNetworkingError.serverError(response(503)),
            SimpleNetworkingError.failed(NetworkFailure(.offline)), URLError(.notConnectedToInternet),
            URLError(.timedOut),
            SimpleNetworkingError.authentication(.init(reason: "nested", underlying: NetworkFailure(.offline))),
            RefreshFailure.timedOut(30), SimpleNetworkingError.queueFull(limit: 1, head),
        ] + refusals

    private static let refusals: [any Error] =
        Origin("https://a.example").map {
            let refusal = CircuitBreaker.Refusal(origin: $0, seconds: 5)
            return [refusal, SimpleNetworkingError.failed(refusal)]
        } ?? []

    /// Reads a stream whose token expires after the first connection, and can't be refreshed for once.
    private func readWithRefresh(failing failure: any Error, isRefused: Bool = false) async -> [String] {
        let (isExpired, mayFail) = (Locked(false), Locked(true))
        let bearer = BearerAuthenticator(
            token: Secret("0"),
            refresh: { _ in
                if mayFail.exchange(false) { throw failure }
                isExpired.withLock { $0 = false }
                return Secret("1")
            },
            isExpired: { _ in !isRefused && isExpired.withLock { $0 } }
        )
        server.on("/news") { request in
            let token = request.headers["Authorization"]
            if token == "Bearer 1" { return Self.stream("data: b\n\n") }
            if isRefused, isExpired.withLock({ $0 }) { return .status(401) }
            isExpired.withLock { $0 = true }
            return Self.stream("data: a\n\n")
        }
        let client = SimpleNetworking(over: server, clock: clock) { $0.authenticator = bearer }
        let events = Recorder<String>()
        _ = await clock.advancing(to: .retry) {
            do {
                for try await event in client.events(for: SimpleNetworking.get("/news"), reconnects: true) {
                    events.add(event.data)
                    if event.data == "b" { return }
                }
            } catch { events.add(error is SimpleNetworkingError ? "error" : "\(error)") }
        }
        return events.elements
    }

    @Test(arguments: passing.indices, [false, true])
    func itGoesOnAfterARefreshThatFailedForTheMoment(index: Int, isRefused: Bool) async {
        #expect(await readWithRefresh(failing: Self.passing[index], isRefused: isRefused) == ["a", "b"])
    }

    /// The session is over, or the failure won't pass.
    private static let final: [any Error] = [
        RefreshFailure.signedOut, RefreshFailure.notRefreshable, SimpleNetworkingError.clientError(response(400)),
        SimpleNetworkingError.clientError(response(401)), SimpleNetworkingError.cancelled(head),
        URLError(.serverCertificateUntrusted), StreamFailure.notAnEventStream(type: nil),
    ]

    @Test(arguments: final.indices, [false, true])
    func itEndsAfterARefreshThatWasRefused(index: Int, isRefused: Bool) async {
        #expect(await readWithRefresh(failing: Self.final[index], isRefused: isRefused) == ["a", "error"])
    }

    @Test
    func itGoesOnAfterTheRefusalOfACircuitBreaker() async {
        server.on(
            "/news",
            .replies(Self.stream("data: a\n\n"), .status(503), .status(503), Self.stream("data: b\n\n"), .status(204))
        )
        let breaker = CircuitBreaker(failureShare: 0.5, minimumCalls: 2, window: 1000, openTime: 50)
        let client = SimpleNetworking(over: server, through: [breaker], clock: clock)
        let events = Recorder<String>()
        let (error, times) = await clock.advancing(to: .retry) { () -> (any Error)? in
            do {
                for try await event in client.events(for: SimpleNetworking.get("/news"), reconnects: true) {
                    events.add(event.data)
                }
                return nil
            } catch { return error }
        }
        #expect(error == nil)
        #expect(events.elements == ["a", "b"])
        #expect(server.requests.count == 5)
        // It asks again when the breaker may let it pass, and not before.
        #expect(times.count <= 8)
    }

    @Test
    func itEndsWhenAnotherUserHasSignedIn() async {
        server.on(
            "/news",
            .replies(Self.stream("id: 1\ndata: a\n\n"), Self.stream("data: another user's\n\n"), .status(204))
        )
        let bearer = BearerAuthenticator(token: Secret("ada"))
        let client = SimpleNetworking(over: server, clock: clock) { $0.authenticator = bearer }
        let events = Recorder<String>()
        let loop = Task {
            for try await event in client.events(for: SimpleNetworking.get("/news"), reconnects: true) {
                events.add(event.data)
            }
        }
        await clock.alarms(1, for: .retry)
        bearer.token = Secret("bob")
        _ = try? await clock.advance(to: .retry)
        await #expect(throws: SimpleNetworkingError.self) { try await loop.value }
        #expect(events.elements == ["a"])
        #expect(server.requests.count == 1)
    }
}
