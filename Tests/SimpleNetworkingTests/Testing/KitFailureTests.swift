import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// The failures of traces, conditions, cassettes, the loopback server and simulations, word for word.
@Suite(.timeLimit(.minutes(5)))
struct KitFailureTests {
    private let clock = VirtualClock()
    private let folder = ScratchFolder()

    /// What a request failed with, without the library's own words around it.
    private func failure(_ request: SimpleRequest) async -> String {
        guard case .failed(let error, _, _)? = await request.ended().error else { return "no failure" }
        return "\(error)"
    }

    @Test
    func anotherOrderShowsBothListsAndTheTrace() async throws {
        let request = SimpleNetworking(over: StubTransport().on("*", .status(404)), clock: clock).get("/x") {
            $0.on(httpStatus: 404, { _, _ in true }).on(error: { _ in })
        }
        await request.ended()
        let order: [TraceStep] = [.attempt(1), .status(401), .error, .success, .completion]
        let mismatch = await failureText { try expectOrder(of: request, order) }
        #expect(
            mismatch == """
                GET /x: another order
                expected     actual
                attempt 1    attempt 1
                status 401 ≠ status 404
                error        error
                success    ≠ completion
                completion ≠ –

                \(request.trace)
                """
        )
    }

    @Test(
        arguments: [
            ([], false), ([.success], false), ([.success, .completion], true),
            ([.success, .completion, .completion], false),
        ] as [([TraceStep], Bool)]
    )
    func listThatIsTooShortOrTooLongIsAnotherOrder(order: [TraceStep], isSame: Bool) async {
        let request = SimpleNetworking(over: StubTransport().on("*", .status(204)), clock: clock).get("/x") {
            $0.on(success: { _ in })
        }
        await request.ended()
        #expect(((try? expectOrder(of: request, order)) != nil) == isSame)
    }

    @Test(arguments: [(Data("b".utf8), "b"), (Data([0xFF]), "(not text)")])
    func conditionsShowWhatARequestHasInstead(body: Data, shown: String) async {
        let conditions: [StubCondition] = [
            .text("a"), .form(["a": "1"]), .json("{a"), .matching("is even") { _ in false },
        ]
        let api = SimpleNetworking(over: StubTransport().on(.post, "/x", where: conditions, .status(204)), clock: clock)
        let text = await failure(api.post("/x") { $0.body(data: body, contentType: .octetStream) })
        #expect(
            text == """
                no rule matches POST https://api.example.com/x; scripted: POST /x text a form a=1 \
                JSON (the rule's text is not JSON) matching is even
                  nearest rule: POST /x text a form a=1 JSON (the rule's text is not JSON) matching is even
                              rule                            request
                    method    POST                            POST
                    path      /x                              /x
                    text      a                             ≠ \(shown)
                    form      a=1                           ≠ (not a form)
                    JSON      (the rule's text is not JSON) ≠ (not JSON)
                    matching  is even                       ≠ not so
                """
        )
    }

    @Test(arguments: [
        (StubResponse.text("1234").cut(after: 3), "the stub cut the body off after 3 bytes"),
        (.text("1234").announcing(length: 10), "the body ended after 4 of 10 bytes"),
    ])
    func shortBodySaysHowMuchCame(response: StubResponse, reason: String) async {
        let server = StubTransport().on("/x", response)
        let error = await SimpleNetworking(over: server, clock: clock).get("/x").ended().error
        let text = "GET https://api.example.com/x got no response: the connection was lost (\(reason))."
        #expect(error.map { "\($0)" } == text)
    }

    // MARK: Cassettes

    private func replaying(_ content: String, as name: String) async throws -> (failure: String, path: String) {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let file = folder.url.appendingPathComponent(name)
        try Data(content.utf8).write(to: file)
        let api = SimpleNetworking(over: StubTransport(), through: [Cassette(file, mode: .replay)], clock: clock)
        return (await failure(api.get("/x")), file.path)
    }

    @Test
    func cassetteWithoutAResponseNamesTheRequest() async throws {
        let request = #"{"method": "GET", "url": "https://api.example.com/x", "headers": []}"#
        let content = #"{"version": 1, "exchanges": [{"request": \#(request)}]}"#
        let (failure, _) = try await replaying(content, as: "a.json")
        #expect(failure == "GET https://api.example.com/x has no recorded response")
    }

    @Test
    func archiveWithBrokenContentSaysSo() async throws {
        let archive = #"""
            {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [
              {"startedDateTime": "2026-11-22T10:00:00.000Z", "time": 5, "cache": {}, "timings": {},
               "request": {"method": "GET", "url": "https://api.example.com/x", "httpVersion": "", "headers": [],
                 "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0},
               "response": {"status": 200, "statusText": "", "httpVersion": "", "headers": [], "cookies": [],
                 "content": {"size": 3, "mimeType": "image/png", "text": "?", "encoding": "base64"},
                 "redirectURL": "", "headersSize": -1, "bodySize": -1}}]}}
            """#
        let (failure, path) = try await replaying(archive, as: "a.har")
        #expect(failure == "the cassette \(path) can't be read: the content of an entry is not base64")
    }

    // MARK: The loopback server

    @Test
    func loopbackServerRespondsWithTheReason() async throws {
        let server = try LoopbackServer(StubTransport().on(.get, "/x", .status(204)))
        let api = SimpleNetworking(baseURL: server.url) { $0.logger = .quiet }
        let url = server.url.appendingPathComponent("y").absoluteString
        #expect(
            await api.get("/y").ended().error?.response?.text == """
                no rule matches GET \(url); scripted: GET /x
                  nearest rule: GET /x
                            rule   request
                    method  GET    GET
                    path    /x   ≠ /y
                """
        )
    }

    @Test
    func loopbackServerThatCannotListenNamesTheCall() {
        #expect(
            "\(SocketFailure("listen", EMFILE))"
                == "the loopback server can't listen on 127.0.0.1: listen: Too many open files"
        )
    }

    // MARK: Simulations

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func endlessRunSaysHowManyStepsThereWere() async {
        let run = await SimulationRun(seed: 1) { world in while true { await world.pause() } }
        #expect(
            run.problems == [
                "it does not come to an end: there were 50000 steps",
                "the code waits for what never comes, or is no part of the world",
            ]
        )
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func secondEndNamesTheRequest() async {
        let run = await SimulationRun(seed: 1) { world in
            var configuration = SimpleNetworking.Configuration()
            world.configure(&configuration)
            let request = ObservedRequest(
                number: 7,
                shownText: "GET /x",
                tags: [:],
                fileID: "Module/File.swift",
                line: 1,
                execution: 1
            )
            for _ in 1...2 {
                let end = RequestEvent(time: 0, kind: .ended(.success(200)))
                for monitor in configuration.eventMonitors { monitor.observe(end, of: request) }
            }
        }
        #expect(run.problems == ["#1 GET /x ended a second time"])
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func responseThatNeverComesIsNamed() async {
        let waiting = Locked<[CheckedContinuation<Void, Never>]>([])
        let run = await SimulationRun(seed: 1) { world in
            world.server.on("/x") { _ in
                await withCheckedContinuation { turn in waiting.withLock { $0.append(turn) } }
                return .status(204)
            }
            world.faults = []
            let api = SimpleNetworking(host: "api.example.com") { world.configure(&$0) }
            await api.get("/x").ended()
        }
        #expect(run.problems == ["GET api.example.com/x waits for its response"])
        for turn in waiting.withLock({ $0 }) { turn.resume() }
    }
}
