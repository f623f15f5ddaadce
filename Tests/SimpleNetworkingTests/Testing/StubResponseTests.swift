import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

/// What a stubbed response does to each kind of receiver.
@Suite(.timeLimit(.minutes(5)))
struct StubResponseTests {
    private let clock = VirtualClock()

    private func client(
        _ response: StubResponse,
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) -> SimpleNetworking {
        SimpleNetworking(over: StubTransport().on("/x", response), clock: clock) {
            configure(&$0)
        }
    }

    @Test
    func streamGetsEachPieceBeforeTheNextIsPlayed() async throws {
        let gate = Gate()
        var chunks = client(.pieces("one", .gate(gate), "two")).bytes(for: SimpleNetworking.get("/x"))
            .makeAsyncIterator()
        #expect(try await chunks.next() == Data("one".utf8))
        #expect(try await chunks.head()?.httpStatus == 200)
        gate.open()
        #expect(try await chunks.next() == Data("two".utf8))
        #expect(try await chunks.next() == nil)
    }

    @Test
    func eachOfSeveralRepliesDrips() async throws {
        let stub = StubTransport().on("/x", .replies(.text("a"), .text("b")).dripping(every: 0))
        let api = SimpleNetworking(over: stub)
        #expect(try await api.send(SimpleNetworking.get("/x")).text == "a")
        #expect(try await api.send(SimpleNetworking.get("/x")).text == "b")
    }

    @Test
    func trailersAndInterimResponsesAreDelivered() async throws {
        let response = StubResponse.text("hello").trailers(["X-Sum": "42"]).afterInterim(103, headers: ["Link": "</a>"])
        let request = SimpleNetworking.get("/x")
        let received = try await client(response).send(request)
        #expect(received.text == "hello" && received.trailers["X-Sum"] == "42" && !received.headers.contains("X-Sum"))
        var links: [String?] = []
        for case .interim(103, let headers) in request.trace.events.map(\.kind) { links.append(headers["Link"]) }
        #expect(links == ["</a>"])
    }

    @Test
    func eventsArriveOneByOne() async throws {
        let gate = Gate()
        var events = client(.events("one", .gate(gate), "two\nlines")).events(for: SimpleNetworking.get("/x"))
            .makeAsyncIterator()
        #expect(try await events.next()?.data == "one")
        gate.open()
        #expect(try await events.next()?.data == "two\nlines")
        #expect(try await events.next() == nil)
    }

    @Test
    func downloadGetsAllPiecesAndTheProgressOfEach() async throws {
        let scratch = try ScratchFile()
        let progress = Recorder<Int>()
        let (first, second) = (Gate(), Gate())
        let api = client(.pieces("1234", .gate(first), "56", .gate(second), "7").announcing(length: 7))
        let request = SimpleNetworking.get("/x").on(progress: { report in
            progress.add(report.bytesReceived)
            if report.bytesReceived == 4 { first.open() }
            if report.bytesReceived == 6 { second.open() }
        })
        try await api.download(for: request, to: scratch.url)
        #expect(scratch.content == Data("1234567".utf8))
        #expect(progress.elements.suffix(3) == [4, 6, 7])
    }

    @Test
    func requestInMemoryGetsTheWholeBody() async throws {
        let response = try await client(.pieces("one", "two", type: "text/plain")).send(SimpleNetworking.get("/x"))
        #expect(response.text == "onetwo")
        #expect(response.headers["Content-Type"] == "text/plain")
    }

    @Test
    func delaysBetweenPiecesTakeVirtualTime() async throws {
        let request = client(.pieces("one", .delay(5), "two").after(3)).get("/x")
        try await clock.advance(to: .response)
        #expect(clock.now == 3)
        try await clock.advance(to: .response)
        #expect(await request.ended().value?.text == "onetwo")
        #expect(clock.now == 8)
    }

    @Test(arguments: [Int.min, 0, 1, 3, .max])
    func aSliceDripsWhole(count: Int) async throws {
        let slice = Data("whole".utf8).dropFirst(2)
        let stub = StubTransport().on("/x", .data(slice, type: "text/plain").dripping(count, every: 0))
        let client = SimpleNetworking(host: "a.test") { $0.transport = stub }
        #expect(await client.get("/x").ended().value?.text == "ole")
    }

    @Test
    func slowDripRunsIntoTheTimeout() async throws {
        let request = client(.text("slow").dripping(every: 20)).get("/x") { $0.timeout(60) }
        for _ in 0..<2 { try await clock.advance(to: .response) }
        try await clock.advance(to: .timeout)
        guard case .timedOut(.attempt(60), _)? = await request.ended().error else {
            throw request.trace.description.asError
        }
    }

    @Test
    func cutBodyDeliversItsStartAndThenFails() async throws {
        let chunks = Recorder<String>()
        let error = await #expect(throws: SimpleNetworkingError.self) {
            let api = client(.pieces("12", "34", "56").cut(after: 3))
            for try await chunk in api.bytes(for: SimpleNetworking.get("/x")) {
                chunks.add(String(decoding: chunk, as: UTF8.self))
            }
        }
        #expect(chunks.elements == ["12", "3"])
        let reason = "the connection was lost (the stub cut the body off after 3 bytes)"
        #expect(error?.description.contains(reason) == true)
    }

    @Test(arguments: [
        (10, "the body ended after 4 of 10 bytes"), (3, nil), (4, nil), (-1, "Content-Length: -1"),
        (.min, "Content-Length: \(Int.min)"),
    ])
    func wrongLengthBehavesAsOnAConnection(length: Int, failure: String?) async throws {
        let outcome = await client(.text("1234").announcing(length: length)).get("/x").ended()
        if let failure {
            #expect("\(String(describing: outcome.error))".contains(failure))
        } else {
            #expect(outcome.value?.text == String("1234".prefix(length)))
        }
    }

    @Test(arguments: [
        NetworkFailure.Kind.cannotFindHost, .cannotConnect, .connectionLost, .offline, .tls, .malformedResponse,
        .unreadableBody, .other,
    ])
    func networkErrorsOfEachKindComeWithoutAResponseAndAfterAPiece(kind: NetworkFailure.Kind) async throws {
        for response in [StubResponse.failure(kind), .pieces("some", .failure(kind))] {
            guard case .networkingError(let failure, _)? = await client(response).get("/x").ended().error else {
                throw "no network failure".asError
            }
            #expect(failure.kind == kind)
        }
    }

    @Test
    func headRequestAndErrorStatusGoToMemory() async throws {
        let api = client(.json(#"{"error": "no"}"#, status: 404))
        let error = await #expect(throws: SimpleNetworkingError.self) {
            for try await _ in api.bytes(for: SimpleNetworking.get("/x")) { Issue.record("content of a 404") }
        }
        #expect(error?.response?.json?["error"] as? String == "no")
        let head = try await client(.text("body")).send(SimpleNetworking.head("/x"))
        #expect(head.data.isEmpty)
    }

    @Test
    func contentOverTheLimitFails() async throws {
        let api = client(.pieces("123", "456")) { $0.maxResponseSize = 5 }
        guard case .tooLarge(limit: 5, _)? = await api.get("/x").ended().error else { throw "not too large".asError }
    }
}
