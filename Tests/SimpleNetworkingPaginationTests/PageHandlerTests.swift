import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingPagination

@Suite(.timeLimit(.minutes(5)))
struct PageHandlerTests {
    private let list = ListServer(way: .links, count: 45, size: 10)

    @Test
    func pageHandlerRunsBetweenStatusAndSuccessHandlers() async throws {
        let request = SimpleNetworking(over: list.transport).get("/items") {
            $0.on(completion: { _ in })
                .on(success: { _ in })
                .on(page: .links(), of: ListServer.Item.self, at: "results") { $0.number < 2 }
                .on(httpStatus: 200) { _, _ in true }
                .on(start: { _ in })
                .on(retry: { _, _ in })
        }
        await request.ended()
        // The test's own wait is the second completion handler.
        try expectOrder(
            of: request,
            [.notice("start"), .status(200), .page, .status(200), .page, .success, .completion, .completion]
        )
        #expect(request.trace.description.contains("page 2"))
        #expect(request.trace.handlers.filter { $0.kind == .page }.map(\.decision) == [true, false])
    }

    @Test
    func pageIsDeliveredBeforeItsContentFailsToDecodeForASuccess() async {
        struct Other: Decodable, Sendable { let missing: Int }
        let pages = Recorder<Int>()
        let server = StubTransport().on("/x", .json(#"{"results": [1, 2]}"#))
        let request = SimpleNetworking(over: server).get("/x") {
            $0.on(success: Other.self) { (_: Other) in }
                .on(page: .links(), of: Int.self, at: "results") { page in
                    pages.add(page.number)
                    return true
                }
        }
        guard case .decoding? = await request.ended().error else {
            Issue.record("it was decoded")
            return
        }
        #expect(pages.elements == [1])
    }

    @Test
    func pageHandlerThatReturnsFalseEndsTheExecution() async throws {
        let server = list.transport
        let request = SimpleNetworking(over: server).get("/items") {
            $0.on(page: .links(), of: ListServer.Item.self, at: "results") { page in
                #expect(page.hasNext)
                return page.number < 3
            }
        }
        let response = await request.ended().value
        #expect(response?.request.url.query == "__nonce=n20&__token=20&limit=10")
        #expect(server.requests.count == 3)
    }

    @Test
    @MainActor
    func pageHandlerRunsWhereItWasWritten() async throws {
        var ids: [Int] = []
        let request = SimpleNetworking(over: list.transport).get("/items") {
            $0.on(page: .links(), at: "results") { (page: Page<ListServer.Item>) in
                MainActor.assertIsolated()
                ids += page.items.map(\.id)
                return true
            }
        }
        await request.ended()
        #expect(ids == Array(0..<45))
    }

    @Test
    func methodFieldsBodyAndOptionsStayTheSame() async throws {
        let server = list.transport
        let request = SimpleNetworking.post("/items", headers: ["X-A": "a"], body: ["q": "x"])
            .tag("t", "tag")
            .on(page: .links(), of: ListServer.Item.self, at: "results") { _ in true }
        await request.execute(on: SimpleNetworking(over: server)).ended()
        #expect(server.requests.count == 5)
        for sent in server.requests {
            guard case .data(let data) = sent.body else { throw Surprise("\(sent.body)") }
            #expect(sent.method == .post && sent.headers["X-A"] == "a" && data == Data(#"{"q":"x"}"#.utf8))
        }
        #expect(request.tags == ["t": "tag"])
    }

    @Test
    func executingAgainStartsWithTheFirstPage() async throws {
        let server = list.transport
        let client = SimpleNetworking(over: server)
        let request = client.get("/items") {
            $0.on(page: .links(), of: ListServer.Item.self, at: "results") { $0.number < 2 }
        }
        await request.ended()
        await request.execute(on: client).ended()
        await request.copy().execute(on: client).ended()
        let response = try await client.send(request)
        #expect(
            server.requests.map { $0.url.query?.contains("token") ?? false } == [
                false, true, false, true, false, true, false, true,
            ]
        )
        #expect(response.request.url.query?.contains("__token=10") == true)
    }

    @Test
    func retryAfterTheEndContinuesWithTheFailedPage() async throws {
        let server = StubTransport()
            .on("/items", .json(#"{"items": [1], "next": "?t=2"}"#), times: 1)
            .on("/items", .status(503), times: 1)
            .on("/items", .json(#"{"items": [2], "next": null}"#))
        let found = Recorder<Int>()
        let request = SimpleNetworking(over: server).get("/items") {
            $0.on(page: .links(), of: Int.self, at: "items") { page in
                for item in page.items { found.add(item) }
                return true
            }
        }
        #expect(await request.ended().error?.httpStatus == 503)
        request.retry()
        #expect(await request.ended().value != nil)
        #expect(found.elements == [1, 2])
        #expect(server.requests.map(\.url.query) == [nil, "t=2", "t=2"])
    }

    @Test
    func eachPageHasItsOwnRetries() async throws {
        let isDown = Locked(false)
        let server = StubTransport().on("/items") { request in
            // Every second request is refused.
            if isDown.withLock({
                $0.toggle(); return $0
            }) {
                return .status(503)
            }
            return list.page(for: request)
        }
        let request = SimpleNetworking(over: server) { $0.maxRetries = 1 }.get("/items") {
            $0.on(page: .links(), of: ListServer.Item.self, at: "results") { _ in true }
                .on(httpStatus: 503) { request, _ in
                    request.retry()
                    return false
                }
        }
        #expect(await request.ended().value?.attempt == 2)
        #expect(server.requests.count == 10)
    }

    @Test
    func cancellingBetweenPagesEndsOnceAndRequestsNoMore() async throws {
        let gate = Gate()
        let server = StubTransport().on("/items") { request in
            if request.url.query?.contains("__token=20") == true { try await gate.wait() }
            return list.page(for: request)
        }
        let ends = Recorder<Bool>()
        let pages = Recorder<Int>()
        let request = SimpleNetworking(over: server).get("/items") {
            $0.on(page: .links(), of: ListServer.Item.self, at: "results") { page in
                pages.add(page.number)
                return true
            }
            .on(error: { error in ends.add(error.isCancellation) })
        }
        try await withinSeconds(120) { await gate.arrivals(1) }
        request.cancel()
        await request.ended()
        gate.open()
        #expect(ends.elements == [true])
        #expect(pages.elements == [1, 2])
        #expect(server.requests.count == 3)
    }

    @Test
    func cancellingInThePageHandlerEndsWithCancelled() async throws {
        let server = list.transport
        let box = Locked<SimpleRequest?>(nil)
        let request = SimpleNetworking.get("/items").on(page: .links(), of: ListServer.Item.self, at: "results") { _ in
            box.withLock { $0 }?.cancel()
            return true
        }
        box.withLock { $0 = request }
        #expect(await request.execute(on: SimpleNetworking(over: server)).ended().error?.isCancellation == true)
        #expect(server.requests.count == 1)
        box.withLock { $0 = nil }
    }

    @Test
    func deadlineAppliesToAllPagesTogether() async throws {
        let clock = VirtualClock()
        let server = StubTransport().on("/items") { request in
            clock.advance(by: 4)
            return list.page(for: request)
        }
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.deadline = 10
            $0.timeout = 100
        }
        let request = client.get("/items") {
            $0.on(page: .links(), of: ListServer.Item.self, at: "results") { _ in true }
        }
        guard case .timedOut(.deadline(10), _)? = await request.ended().error else {
            Issue.record("\(request.trace)")
            return
        }
        #expect(server.requests.count <= 3)
    }

    @Test
    func unacceptableResponseIsNotAPage() async throws {
        let pages = Recorder<Int>()
        let request = SimpleNetworking.get("/items").acceptable(statuses: [201])
            .on(page: .links(), of: ListServer.Item.self, at: "results") { page in
                pages.add(page.number)
                return true
            }
        let error = await request.execute(on: SimpleNetworking(over: list.transport)).ended().error
        #expect(error?.httpStatus == 200)
        #expect(pages.elements == [])
    }

    @Test
    func secondPageHandlerFailsTheRequest() async throws {
        let server = list.transport
        let request = SimpleNetworking(over: server).get("/items") {
            $0.on(page: .links(), of: ListServer.Item.self, at: "results") { _ in true }
                .on(page: .linkHeader(), of: ListServer.Item.self) { _ in true }
        }
        guard case .invalidRequest? = await request.ended().error else {
            Issue.record("\(request.trace)")
            return
        }
        #expect(server.requests.isEmpty)
    }

    @Test
    func pageHandlerWithReleasedOwnerRequestsNoPage() async throws {
        let server = list.transport
        let request = SimpleNetworking.get("/items")
        do {
            let owner = NSObject()
            request.on(page: .links(), of: ListServer.Item.self, at: "results", { _ in true }, owner: owner)
        }
        request.on(completion: { _ in })
        #expect(await request.execute(on: SimpleNetworking(over: server)).ended().value != nil)
        #expect(server.requests.count == 1)
    }

    @Test
    func responseGivenToSucceedIsAPage() async throws {
        let pages = Recorder<[Int]>()
        let request = SimpleNetworking(over: StubTransport().on("/items", .status(404))).get("/items") {
            $0.on(page: .links(), of: Int.self) { page in
                pages.add(page.items)
                return true
            }
            .on(httpStatus: 404) { request, response in
                request.succeed(with: SimpleResponse(request: response.request, data: Data("[7]".utf8)))
                return false
            }
        }
        #expect(await request.ended().value != nil)
        #expect(pages.elements == [[7]])
    }
}
