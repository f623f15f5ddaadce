import Foundation
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Events, lines and values over sockets.
@Suite(.timeLimit(.minutes(5)))
struct StreamTests {
    private struct User: Decodable, Sendable { let name: String }

    @Test
    func eventsAreReturnedAsTheyArrive() async throws {
        let latches = [RawServer.Latch(), RawServer.Latch()]
        let parts = [(latches[0], "id: 7\ndata: one\n\nda"), (latches[1], "ta: two\n\n")]
        let server = try RawServer { _ in .parts(parts, type: "text/event-stream") }
        var events = SimpleNetworking(of: server).events(for: SimpleNetworking.get("/news")).makeAsyncIterator()
        latches[0].open()
        let first = try await events.next()
        #expect(first?.data == "one" && first?.id == "7")
        latches[1].open()
        let second = try await events.next()
        #expect(second?.data == "two" && second?.id == "7")
        #expect(try await events.next() == nil)
        #expect(server.requests.map { $0[header: "Accept"] } == ["text/event-stream"])
    }

    @Test
    func linesAndValuesSendAcceptUnlessTheRequestSetsIt() async throws {
        let server = try RawServer { _ in .response(body: "{\"name\": \"Ada\"}\n{\"name\": \"Alan\"}\n") }
        let client = SimpleNetworking(of: server)
        var names: [String] = []
        for try await user in client.jsonLines(for: Request<User>.get("/export")) { names.append(user.name) }
        for try await user in client.jsonLines(of: User.self, for: SimpleNetworking.get("/x").accept(.json)) {
            names.append(user.name)
        }
        var lines: [String] = []
        for try await line in client.lines(for: Request<Void>.get("/log")) { lines.append(line) }
        #expect(names == ["Ada", "Alan", "Ada", "Alan"] && lines.count == 2)
        let types = server.requests.map { $0[header: "Accept"] }
        #expect(types == ["application/x-ndjson", "application/json", "*/*"])
    }

    @Test
    func undecodableLineFailsWithItsNumberAndTheResponse() async throws {
        let server = try RawServer { _ in .response(headers: ["X-Tag": "1"], body: "{\"name\": \"Ada\"}\n{}\n") }
        let names = Recorder<String>()
        let client = SimpleNetworking(of: server)
        let error = await #expect(throws: SimpleNetworkingError.self) {
            for try await user in client.jsonLines(for: Request<User>.get("/export")) { names.add(user.name) }
        }
        guard case .decoding(let failure, let response)? = error else { throw Surprise("another error") }
        #expect(failure.line == 2 && response.headers["X-Tag"] == "1" && response.text == "{}")
        #expect(response.request.url.path == "/export" && names.elements == ["Ada"])
    }

    @Test
    func leavingTheLoopEndsTheTransfer() async throws {
        let server = try RawServer { _ in
            let head = Data("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".utf8)
            return RawServer.Reply([.send(head), .flood(Data("data: more\n\n".utf8))], end: .close)
        }
        for try await event in SimpleNetworking(of: server).events(for: SimpleNetworking.get("/news")) {
            #expect(event.data == "more")
            break
        }
        await server.wait { $0.closed == 1 }
    }

    @Test
    func errorResponseEndsTheStreamWithItsContent() async throws {
        let server = try RawServer { _ in .response(status: 403, body: "not you") }
        let client = SimpleNetworking(of: server)
        let error = await #expect(throws: SimpleNetworkingError.self) {
            for try await _ in client.events(for: Request<Void>.get("/news")) {}
        }
        #expect(error?.response?.text == "not you")
    }
}
