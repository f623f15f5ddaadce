import Foundation
import SimpleNetworking
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

/// The place that logs and traces name is the caller's, for every kind of call.
@Suite(.timeLimit(.minutes(5)))
struct CallSiteTests {
    private final class Sites: EventMonitor {
        let seen = Recorder<String>()

        func observe(_ event: RequestEvent, of request: ObservedRequest) {
            if case .ended = event.kind { seen.add("\(request.fileID):\(request.line)") }
        }
    }

    private let sites = Sites()
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    private static func place(_ line: Int) -> String { "SimpleNetworkingTests/CallSiteTests.swift:\(line)" }

    @Test
    func awaitedRequestsNameTheLineOfTheirCaller() async throws {
        let client = SimpleNetworking(over: StubTransport().on("*", .json("[1]"))) {
            $0.eventMonitors = [sites]
        }
        var lines: [Int] = []
        lines.append(#line + 1)
        try await client.send(Request<[Int]>.get("/x"))
        lines.append(#line + 1)
        try await client.send(Request<Void>.get("/x"))
        lines.append(#line + 1)
        _ = try await client.data(for: Request<[Int]>.get("/x"))
        lines.append(#line + 1)
        try await client.upload(for: Request<[Int]>.post("/x"), from: Data())
        lines.append(#line + 1)
        try await client.upload(for: Request<Void>.post("/x"), from: Data())
        lines.append(#line + 1)
        client.execute(Request<[Int]>.get("/x"))
        try await eventually { [seen = sites.seen] in seen.elements.count == 6 }
        #expect(sites.seen.elements == lines.map(Self.place))
    }

    @Test
    func transfersNameTheLineOfTheirCaller() async throws {
        let client = SimpleNetworking(over: StubTransport().on("*", .json("[1]"))) {
            $0.eventMonitors = [sites]
        }
        var lines: [Int] = []
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("x".utf8).write(to: file)
        lines.append(#line + 1)
        try await client.upload(for: Request<[Int]>.post("/x"), fromFile: file)
        lines.append(#line + 1)
        try await client.upload(for: Request<Void>.post("/x"), fromFile: file)
        lines.append(#line + 1)
        for try await _ in client.pages(for: Request<[Int]>.get("/x"), style: .links()) {}
        lines.append(#line + 1)
        for try await _ in client.items(for: Request<[Int]>.get("/x"), style: .links()) {}
        try await eventually { [seen = sites.seen] in seen.elements.count == 4 }
        #expect(sites.seen.elements == lines.map(Self.place))
    }

    @Test
    func streamsNameTheLineOfTheirCaller() async throws {
        let server = try RawServer { _ in .response(headers: ["Content-Type": "text/event-stream"], body: "1\n\n") }
        let client = SimpleNetworking(of: server) { $0.eventMonitors = [sites] }
        var lines: [Int] = []
        defer { try? FileManager.default.removeItem(at: file) }
        lines.append(#line + 1)
        try await client.download(for: Request<[Int]>.get("/x"), to: file)
        lines.append(#line + 1)
        for try await _ in client.bytes(for: Request<[Int]>.get("/x")) {}
        lines.append(#line + 1)
        for try await _ in client.events(for: Request<[Int]>.get("/x")) {}
        lines.append(#line + 1)
        for try await _ in client.lines(for: Request<[Int]>.get("/x")) {}
        lines.append(#line + 1)
        for try await _ in client.jsonLines(for: Request<Int>.get("/x")) {}
        try await eventually { [seen = sites.seen] in seen.elements.count == 5 }
        #expect(sites.seen.elements == lines.map(Self.place))
    }

    @Test
    func unhandledErrorNamesTheLineOfTheCaller() async throws {
        let messages = Recorder<String>()
        let client = SimpleNetworking(host: "h") {
            $0.transport = StubTransport().on("*", .status(500))
            $0.logger = RequestLogger(level: .error) { _, text in messages.add(text) }
        }
        let line = #line + 1
        client.execute(Request<[Int]>.get("/x"))
        try await eventually { !messages.elements.isEmpty }
        #expect(messages.elements.first?.contains("was made at \(Self.place(line))") == true)
    }
}
