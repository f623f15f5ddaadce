import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

/// What makes a response an event stream.
@Suite(.timeLimit(.minutes(5)))
struct EventStreamTests {
    private let request = SimpleNetworking.get("/news")

    private static func reply(_ type: String?, _ text: String) -> RawServer.Reply {
        type.map { .response(headers: ["Content-Type": $0], body: text) } ?? .response(body: text)
    }

    @Test(arguments: [nil, "text/html", "application/json; text/event-stream", "text/event-stream-2"])
    func contentOfAnotherTypeIsAnErrorThatNamesIt(type: String?) async throws {
        let server = try RawServer { _ in Self.reply(type, "data: one\n\n") }
        let (events, error) = await SimpleNetworking(of: server).events(for: request).all()
        #expect(events == [])
        guard case SimpleNetworkingError.failed(let cause, _, let response)? = error else {
            throw "\(String(describing: error))".asError
        }
        #expect(response?.httpStatus == 200 && response?.headers["Content-Type"] == type)
        #expect("\(cause)".contains(type ?? "no content type"))
        #expect(server.requests.count == 1)
    }

    @Test(arguments: ["text/event-stream", "Text/Event-Stream;charset=UTF-8", "text/html, text/event-stream"])
    func theTypeMayHaveParametersAndBeSpelledAnyWay(type: String) async throws {
        let server = try RawServer { _ in Self.reply(type, "data: one\n\n") }
        let (events, error) = await SimpleNetworking(of: server).events(for: request).all()
        #expect(events.map(\.data) == ["one"] && error == nil)
    }

    @Test
    func aServerThatHasNoContentEndsTheEvents() async throws {
        let server = try RawServer { _ in .response(status: 204) }
        let (events, error) = await SimpleNetworking(of: server).events(for: request).all()
        #expect(events == [] && error == nil)
    }

    // MARK: - Statuses

    @Test(arguments: Engine.allCases, [201, 202, 203, 205, 206])
    func onlyA200OpensAnEventStream(engine: Engine, status: Int) async throws {
        let server = try RawServer { _ in
            .response(status: status, headers: ["Content-Type": "text/event-stream"], body: "data: one\n\n")
        }
        let client = try engine.client(server) { $0.acceptableStatuses = HTTPStatuses(200...599) }
        let (events, error) = await client.events(for: request).all()
        #expect(events == [])
        guard case SimpleNetworkingError.invalidResponse(let response)? = error else {
            throw Surprise("\(String(describing: error))")
        }
        #expect(response.httpStatus == status && "\(response.error as Any)".contains("not acceptable"))
    }

    /// Its head is enough, because the stream might never end.
    @Test
    func aStatusThatOpensNothingIsAnErrorBeforeTheStreamEnds() async throws {
        let head = "HTTP/1.1 206 Part\r\nContent-Type: text/event-stream\r\n\r\ndata: one\n\n"
        let server = try RawServer { _ in .raw(head, end: .silence) }
        let (events, error) = await SimpleNetworking(of: server).events(for: request).all()
        #expect(events == [] && (error as? SimpleNetworkingError)?.httpStatus == 206)
    }

    @Test(arguments: Engine.allCases, [300, 404, 503])
    func anAcceptedStatusOpensNoEventStream(engine: Engine, status: Int) async throws {
        let server = try RawServer { _ in
            .response(status: status, headers: ["Content-Type": "text/event-stream"], body: "data: one\n\n")
        }
        let client = try engine.client(server) { $0.acceptableStatuses = [200, status] }
        let request = request.copy().acceptable(statuses: [200, status])
        let (events, error) = await client.events(for: request).all()
        #expect(events == [] && (error as? SimpleNetworkingError)?.httpStatus == status)
    }

    @Test
    func a200AndA204CountThoughTheRequestAcceptsOnlyOthers() async throws {
        let server = try RawServer {
            $0.path == "/none" ? .response(status: 204) : Self.reply("text/event-stream", "data: one\n\n")
        }
        let client = SimpleNetworking(of: server) { $0.acceptableStatuses = [404] }
        #expect(await client.events(for: request).all().elements.map(\.data) == ["one"])
        let (events, error) = await client.events(for: .get("/none")).all()
        #expect(events == [] && error == nil)
    }

    // MARK: - Fields and limits

    @Test
    func eventStreamSendsNoStoreByDefault() async throws {
        let server = try RawServer { _ in Self.reply("text/event-stream", "data: one\n\n") }
        let client = SimpleNetworking(of: server)
        for request in [request, SimpleNetworking.get("/news").header("Cache-Control", "max-age=0")] {
            _ = await client.events(for: request).all()
        }
        _ = await client.lines(for: request).all()
        #expect(server.requests.map { $0[header: "Cache-Control"] } == ["no-store", "max-age=0", nil])
        #expect(server.requests.map { $0[header: "Accept"] }.prefix(2) == ["text/event-stream", "text/event-stream"])
    }

    @Test
    func theLimitsOfEventsAndLinesCanBeSet() async throws {
        let server = try RawServer { _ in Self.reply("text/event-stream", "data: 12\n\ndata: 345\n\n") }
        let client = SimpleNetworking(of: server)
        let events = await client.events(for: request, maxEventSize: 8).all()
        #expect(events.elements.map(\.data) == ["12"])
        try expect(.lineTooLong(limit: 8, line: 3), events.error)
        let values = await client.jsonLines(for: Request<Int>.get("/x"), maxLineSize: 7).all()
        try expect(.lineTooLong(limit: 7, line: 1), values.error)
        let lines = await client.lines(for: Request<Void>.get("/x"), maxLineSize: 8).all()
        #expect(lines.elements == ["data: 12", ""])
        try expect(.lineTooLong(limit: 8, line: 3), lines.error)
        let text = "data: \(String(repeating: "x", count: 2 << 20))\n\n"
        let long = try RawServer { _ in Self.reply("text/event-stream", text) }
        let whole = await SimpleNetworking(of: long).events(for: request, maxEventSize: 3 << 20).all()
        #expect(whole.elements.count == 1)
    }

    private func expect(_ failure: StreamFailure, _ error: (any Error)?) throws {
        guard case SimpleNetworkingError.failed(let cause, _, _)? = error else {
            throw "\(String(describing: error))".asError
        }
        #expect(cause as? StreamFailure == failure)
    }
}
