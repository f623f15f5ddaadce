import Foundation
import SimpleNetworking
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HandlerOrderTests {
    @Test
    func successHandlersRunInTheOrderTheyWereAdded() async throws {
        let order = Recorder<Int>()
        let request = SimpleNetworking(over: StubTransport().on("*", .json("{}"))).get("/x") { request in
            for number in 1...20 { request.on(success: { _ in order.add(number) }) }
            return request
        }
        await request.ended()
        #expect(order.elements == Array(1...20))
    }

    @Test
    func errorHandlersOfBothShapesShareOneOrder() async throws {
        let order = Recorder<String>()
        let request = SimpleNetworking(over: StubTransport().on("*", .status(404))).get("/x") { request in
            request
                .on(error: { _ in order.add("one parameter") })
                .on(error: { _, response in order.add("two parameters, \(response?.httpStatus ?? 0)") })
                .on(error: { error in order.add("one again, \(error.httpStatus ?? 0)") })
        }
        await request.ended()
        #expect(order.elements == ["one parameter", "two parameters, 404", "one again, 404"])
    }

    @Test
    func statusHandlersRunBeforeSuccessAndCompletionLast() async throws {
        let request = SimpleNetworking(over: StubTransport().on("*", .status(202))).get("/x") { request in
            request
                .on(completion: { _ in })
                .on(success: { _ in })
                .on(httpStatus: 200..<300, { _, _ in true })
                .on(error: { _ in Issue.record("a success is no error") })
                .on(httpStatus: 202, { _, _ in true })
                .on(httpStatus: [202, 404], { _, _ in true })
                .on(httpStatus: .successful, { _, _ in true })
                .on(httpStatus: 404, { _, _ in true })
        }
        await request.ended()
        let ranges = ["200...299", "202", "202, 404", "200...299"].map { TraceStep.status($0) }
        try expectOrder(of: request, ranges + [.success, .completion, .completion])
    }

    @Test
    func statusHandlersRunBeforeErrorHandlers() async throws {
        let request = SimpleNetworking(over: StubTransport().on("*", .status(503))).get("/x") { request in
            request
                .on(error: { _ in })
                .on(httpStatus: .serverError, { _, _ in true })
                .on(httpStatus: .clientError, { _, _ in true })
        }
        await request.ended()
        try expectOrder(of: request, [.status("500...599"), .error, .completion])
    }

    @Test
    func falseSkipsTheHandlersAfterIt() async throws {
        let request = SimpleNetworking(over: StubTransport().on("*", .status(401))).get("/x") { request in
            request
                .on(
                    httpStatus: 401,
                    { request, response in
                        request.succeed(with: response)
                        return false
                    }
                )
                .on(httpStatus: 401, { _, _ in true })
                .on(success: { _ in })
        }
        await request.ended()
        try expectOrder(of: request, [.status(401), .success, .completion])
    }

    @Test
    func succeedInAStatusHandlerEndsAtOnceEvenIfAValueIsAwaited() async throws {
        let clock = VirtualClock()
        let client = SimpleNetworking(over: StubTransport().on("*", .status(404)), clock: clock)
        let values = Recorder<[Int]>()
        let request = client.get("/x") { request in
            request
                .on(
                    httpStatus: 404,
                    { request, response in
                        request.succeed(with: SimpleResponse(request: response.request, data: Data("[7]".utf8)))
                        return false
                    }
                )
                .on(success: { (value: [Int]) in values.add(value) })
        }
        #expect(await request.ended().value != nil)
        #expect(values.elements == [[7]])
        #expect(clock.now == 0)
    }

    @Test
    func aHandlerAddedWhileTheRequestRunsJoinsTheEnd() async throws {
        let gate = Gate()
        let order = Recorder<Int>()
        let request = SimpleNetworking(over: StubTransport().on("*", .json("{}").after(gate))).get("/x") {
            $0.on(success: { _ in order.add(1) })
        }
        request.on(success: { _ in order.add(2) })
        gate.open()
        await request.ended()
        #expect(order.elements == [1, 2])
    }

    @Test
    func aHandlerAddedByAHandlerJoinsTheEnd() async throws {
        let order = Recorder<Int>()
        let request = SimpleNetworking.get("/x")
        request.on(success: { [unowned request] _ in
            order.add(1)
            request.on(success: { _ in order.add(3) })
        })
        request.on(success: { _ in order.add(2) })
        request.execute(on: SimpleNetworking(over: StubTransport().on("*", .json("{}"))))
        await request.ended()
        #expect(order.elements == [1, 2, 3])
    }

    @Test
    func aHandlerAddedAfterTheEndRunsOnceWithTheOutcome() async throws {
        let request = SimpleNetworking(over: StubTransport().on("*", .json("{}"))).get("/x")
        await request.ended()
        let status: Int = try await heard { tell in request.on(success: { tell($0.httpStatus) }) }
        #expect(status == 200)
        request.on(error: { _ in Issue.record("the outcome was a success") })
        await request.ended()
        try expectOrder(of: request, [.completion, .success, .completion])
    }

    @Test
    func noHandlerRunsBeforeExecuteReturns() async throws {
        for _ in 0..<Storm.size(40, full: 200) {
            let queue = DispatchQueue(label: "callbacks", attributes: .concurrent)
            let client = SimpleNetworking(over: StubTransport().on("*", .json("{}"))) {
                $0.callbackQueue = queue
            }
            let isReturned = Locked(false)
            let wasReturned: Bool = try await heard { tell in
                queue.sync(flags: .barrier) {
                    client.get("/x") {
                        $0.on(
                            isolation: nil,
                            success: { _ in tell(isReturned.withLock { $0 }) }
                        )
                    }
                    isReturned.withLock { $0 = true }
                }
            }
            #expect(wasReturned)
        }
    }

    @Test
    func handlersOfOneRequestNeverOverlapOnAConcurrentQueue() async throws {
        let queue = DispatchQueue(label: "callbacks", attributes: .concurrent)
        let client = SimpleNetworking(over: StubTransport().on("*", .json("{}"))) {
            $0.callbackQueue = queue
        }
        let running = Locked(0)
        let most = Locked(0)
        let request = client.get("/x") { request in
            for index in 0..<50 {
                let other: (any Actor)? = index.isMultiple(of: 3) ? MainActor.shared : nil
                request.on(
                    isolation: other,
                    success: { _ in
                        let now = running.withLock {
                            $0 += 1; return $0
                        }
                        most.withLock { $0 = max($0, now) }
                        running.withLock { $0 -= 1 }
                    }
                )
            }
            return request
        }
        await request.ended()
        #expect(most.withLock { $0 } == 1)
    }

    /// Code that executes a request again and then adds a handler means the new execution.
    @Test
    func aHandlerAddedAfterAnotherExecutionWasRequestedIsToldOfThatOne() async throws {
        let server = StubTransport().on("/x", .json("{}"), times: 1).on("/x", .json("{}", status: 201))
        let client = SimpleNetworking(over: server)
        let seen = Recorder<Int?>()
        let ends = Locked(0)
        let request = SimpleNetworking.get("/x")
        request.on(
            isolation: nil,
            completion: { [weak request] _ in
                ends.withLock { $0 += 1 }
                guard let request, ends.withLock({ $0 }) == 1 else { return }
                request.execute(on: client).on(isolation: nil, completion: { seen.add($0.value?.httpStatus) })
            }
        )
        request.execute(on: client)
        while seen.elements.isEmpty { await Task.yield() }
        #expect(seen.elements == [201])
    }
}
