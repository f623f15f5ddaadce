import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

/// The limits of event streams, which may be quiet for any time.
@Suite(.timeLimit(.minutes(5)))
struct EventStreamTimeTests {
    private let request = SimpleNetworking.get("/news")

    /// A caller's own session reports nothing before the end.
    @Test(arguments: Engine.allCases.filter { $0 != .callersSession })
    func aQuietEventStreamStaysOpen(engine: Engine) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: one\n\n"
        let server = try RawServer { _ in
            let rest = RawServer.Reply.Step.send(Data("data: two\n\n".utf8))
            return RawServer.Reply([.send(Data(head.utf8)), .pause(1.5), rest], end: .close)
        }
        let client = try engine.client(server) { $0.timeout = 1 }
        let (events, error) = await client.events(for: request).all()
        #expect(events.map(\.data) == ["one", "two"] && error == nil)
    }

    /// A caller's own session reports nothing before the end.
    @Test(arguments: Engine.allCases.filter { $0 != .callersSession }, [nil, 1.5] as [TimeInterval?])
    func anEventStreamThatComesInSmallPiecesStaysOpen(engine: Engine, idleTimeout: TimeInterval?) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        let server = try RawServer { _ in
            let pieces = "data: one\n\n".utf8.flatMap { [RawServer.Reply.Step.pause(0.3), .send(Data([$0]))] }
            return RawServer.Reply([.send(Data(head.utf8))] + pieces, end: .close)
        }
        let client = try engine.client(server) { $0.timeout = 1.5 }
        let (events, error) = await client.events(for: request, idleTimeout: idleTimeout).all()
        #expect(events.map(\.data) == ["one"] && error == nil)
    }

    @Test
    func aQuietEventStreamOfATransportOfOnesOwnStaysOpen() async throws {
        let gate = Gate()
        let clock = VirtualClock()
        let client = SimpleNetworking(over: StubTransport().on("*", .events("one", .gate(gate), "two")), clock: clock)
        let reading = Task { await client.events(for: request).all() }
        await gate.arrivals(1)
        clock.advance(by: 100_000)
        gate.open()
        let (events, error) = await reading.value
        #expect(events.map(\.data) == ["one", "two"] && error == nil)
    }

    @Test(arguments: Engine.allCases)
    func theClientsTimeoutLimitsTheWaitForTheHead(engine: Engine) async throws {
        let server = try RawServer { _ in .silence }
        let client = try engine.client(server) { $0.timeout = 0.15 }
        let (_, error) = try await withinSeconds(120) { await client.events(for: request).all() }
        guard case SimpleNetworkingError.timedOut(.idle(0.15), _)? = error else {
            throw Surprise("\(String(describing: error))")
        }
        await server.wait { $0.closed == $0.opened }
    }

    @Test
    func theDeadlineEndsAQuietEventStream() async throws {
        let clock = VirtualClock()
        let gate = Gate()
        let client = SimpleNetworking(over: StubTransport().on("*", .events("one", .gate(gate))), clock: clock)
        let reading = Task { await client.events(for: request.copy().deadline(90)).all() }
        await gate.arrivals(1)
        clock.advance(by: 90)
        let (events, error) = await reading.value
        #expect(events.map(\.data) == ["one"])
        guard case SimpleNetworkingError.timedOut(.deadline(90), _)? = error else {
            throw Surprise("\(String(describing: error))")
        }
    }

    /// A caller's own session reports nothing before the end.
    @Test(arguments: Engine.allCases.filter { $0 != .callersSession })
    func anIdleTimeoutOfItsOwnEndsAQuietEventStream(engine: Engine) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: one\n\n"
        let server = try RawServer { _ in .raw(head, end: .silence) }
        let client = try engine.client(server)
        let (events, error) = try await withinSeconds(120) {
            await client.events(for: request, idleTimeout: 0.15).all()
        }
        #expect(events.map(\.data) == ["one"])
        guard case SimpleNetworkingError.timedOut(.idle(0.15), _)? = error else {
            throw Surprise("\(String(describing: error))")
        }
        await server.wait { $0.closed == $0.opened }
    }

    @Test
    func aStreamThatExceedsItsIdleTimeoutIsReconnected() async throws {
        let clock = VirtualClock()
        let gate = Gate()
        let server = StubTransport().on("*", .replies(.events("one", .gate(gate)), .events("two"), .status(204)))
        let client = SimpleNetworking(over: server, clock: clock)
        let reading = Task { await client.events(for: request, reconnects: true, idleTimeout: 20).all() }
        await gate.arrivals(1)
        clock.advance(by: 20)
        let ((events, error), _) = await clock.advancing(to: .retry) { await reading.value }
        #expect(events.map(\.data) == ["one", "two"] && error == nil)
    }

    @Test
    func aSilentServerIsAskedAgainIfTheStreamReconnects() async throws {
        let clock = VirtualClock()
        let server = StubTransport().on("*", .replies(.silence, .events("one"), .status(204)))
        let client = SimpleNetworking(over: server, clock: clock)
        let reading = Task { await client.events(for: request, reconnects: true).all() }
        await clock.alarms(2, for: .timeout)
        // A transfer that begins later would be given the response that is meant for the next one.
        try await eventually { server.requests.count == 1 }
        clock.advance(by: 60)
        let ((events, error), _) = await clock.advancing(to: .retry) { await reading.value }
        #expect(events.map(\.data) == ["one"] && error == nil)
    }

    /// Other streams keep the client's timeout as their idle timeout.
    @Test
    func aQuietStreamOfLinesEnds() async throws {
        let clock = VirtualClock()
        let gate = Gate()
        let client = SimpleNetworking(over: StubTransport().on("*", .pieces("one\n", .gate(gate))), clock: clock)
        let reading = Task { await client.lines(for: request).all() }
        await gate.arrivals(1)
        clock.advance(by: 60)
        let (lines, error) = await reading.value
        #expect(lines == ["one"])
        guard case SimpleNetworkingError.timedOut(.idle(60), _)? = error else {
            throw Surprise("\(String(describing: error))")
        }
    }
}
