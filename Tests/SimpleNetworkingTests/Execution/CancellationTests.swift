import Foundation
import SimpleNetworking
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CancellationTests {
    @Test
    func aRunningRequestEndsOnceAndItsTransferIsCancelled() async throws {
        let isSent = Gate()
        let isStopped = Gate()
        let server = StubTransport().on("/x") { _ in
            isSent.open()
            do { try await Gate().wait() } catch { isStopped.open() }
            throw CancellationError()
        }
        let request = SimpleNetworking(over: server).get("/x")
        try await isSent.wait()
        request.cancel()
        request.cancel()
        #expect(await request.ended().error?.isCancellation == true)
        try await isStopped.wait()
        try expectOrder(of: request, [.completion])
    }

    @Test
    func aRequestCancelledBeforeItsExecutionSendsNothing() async throws {
        let server = StubTransport().on("/x", .json("{}"))
        let client = SimpleNetworking(over: server)
        let request = SimpleNetworking.get("/x")
        request.cancel()
        request.execute(on: client)
        #expect(await request.ended().error?.isCancellation == true)
        #expect(server.requests.isEmpty)
        request.execute(on: client)
        #expect(await request.ended().value?.httpStatus == 200)
    }

    @Test
    func anAwaitedRequestCancelledBeforeItIsSentSendsNothing() async throws {
        let server = StubTransport().on("/x", .json("{}"))
        let client = SimpleNetworking(over: server)
        let request = SimpleNetworking.get("/x")
        request.cancel()
        await #expect(throws: CancellationError.self) { try await client.send(request) }
        #expect(server.requests.isEmpty)
        // As with `execute(on:)`, it counts once.
        #expect(try await client.send(request).httpStatus == 200)
    }

    @Test
    func aRequestCancelledBeforeItsStreamIsReadSendsNothing() async throws {
        let server = StubTransport().on("/x", .json("{}"))
        let request = SimpleNetworking.get("/x")
        var bytes = SimpleNetworking(over: server).bytes(for: request).makeAsyncIterator()
        request.cancel()
        await #expect(throws: CancellationError.self) { try await bytes.next() }
        #expect(server.requests.isEmpty)
    }

    @Test
    func aRequestCancelledWhileASubclassHoldsItSendsNothing() async throws {
        final class Slow: SimpleNetworking, @unchecked Sendable {
            let held = Locked<[SimpleRequest]>([])
            override func execute(request: SimpleRequest) { held.withLock { $0.append(request) } }
            func letGo() { for request in held.withLock({ $0 }) { super.execute(request: request) } }
        }
        let server = StubTransport().on("/x", .json("{}"))
        let client = Slow(over: server)
        let request = client.get("/x")
        request.cancel()
        client.letGo()
        #expect(await request.ended().error?.isCancellation == true)
        #expect(server.requests.isEmpty)
    }

    @Test
    func cancellationWinsOverALateRetry() async throws {
        let isHandedOver = Gate()
        let kept = Locked<[SimpleRequest]>([])
        let server = StubTransport().on("/x", .status(401))
        let request = SimpleNetworking(over: server).get("/x") {
            $0.on(
                httpStatus: 401,
                { request, _ in
                    kept.withLock { $0.append(request) }
                    isHandedOver.open()
                    return false
                }
            )
        }
        try await isHandedOver.wait()
        request.cancel()
        request.retry()
        #expect(await request.ended().error?.isCancellation == true)
        #expect(server.requests.count == 1)
    }

    @Test
    func cancellationEndsADelayedRetry() async throws {
        let clock = VirtualClock()
        let server = StubTransport().on("/x", .status(503))
        let request = SimpleNetworking(over: server, clock: clock).get("/x") {
            $0.on(
                httpStatus: 503,
                { request, _ in
                    request.retry(after: 5)
                    return false
                }
            )
        }
        try await eventually { clock.alarms == [5] }
        request.cancel()
        #expect(await request.ended().error?.isCancellation == true)
        #expect(clock.alarms.isEmpty)
        clock.advance(by: 10)
        #expect(server.requests.count == 1)
    }

    @Test
    func cancellingTheTaskThrowsCancellationError() async throws {
        let isSent = Gate()
        let server = StubTransport().on("/x") { _ in
            isSent.open()
            return .silence
        }
        let client = SimpleNetworking(over: server)
        let task = Task { try await client.send(SimpleNetworking.get("/x")) }
        try await isSent.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test
    func aCancelledTaskSendsNothing() async throws {
        let server = StubTransport().on("/x", .json("{}"))
        let client = SimpleNetworking(over: server)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await client.send(SimpleNetworking.get("/x"))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests.isEmpty)
    }

    @Test
    func cancellingTheRequestEndsTheAwait() async throws {
        let isSent = Gate()
        let server = StubTransport().on("/x") { _ in
            isSent.open()
            return .silence
        }
        let client = SimpleNetworking(over: server)
        let request = SimpleNetworking.get("/x")
        let task = Task { try await client.send(request) }
        try await isSent.wait()
        request.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
