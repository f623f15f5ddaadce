import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

/// Handlers for progress.
@Suite(.timeLimit(.minutes(5)))
struct ProgressTests {
    /// Reports the given progress.
    private struct Script: Transport {
        let reports: [TransferProgress]
        var gate: Gate?
        var response = TransportResponse(httpStatus: 200)

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            for report in reports { request.progress?(report) }
            try await gate?.wait()
            return response
        }
    }

    private static let half = TransferProgress(bytesSent: 5, bytesToSend: 10)

    @Test
    func theLastOneComesBeforeAllOtherHandlersAndIsComplete() async throws {
        let order = Recorder<String>()
        let request = SimpleNetworking(over: Script(reports: [Self.half])).post("/x") {
            $0.on(isolation: nil, success: { _ in order.add("success") })
                .on(isolation: nil, httpStatus: 200) { _, _ in
                    order.add("status")
                    return true
                }
                .on(isolation: nil, progress: { order.add("\($0.fractionSent ?? -1) \($0.fractionReceived ?? -1)") })
        }
        await request.ended()
        #expect(Array(order.elements.suffix(3)) == ["1.0 1.0", "status", "success"])
        #expect(order.elements.count <= 4)
        try expectOrder(of: request, [.status(200), .success, .completion])
    }

    @Test
    func slowProgressHandlerGetsOnlyTheNewestValue() async throws {
        let gate = Gate()
        let reports = (1...99).map { TransferProgress(bytesReceived: $0, bytesToReceive: 100) }
        let seen = Recorder<Int>()
        let queue = DispatchQueue(label: "callbacks")
        let blocked = DispatchSemaphore(value: 0)
        queue.async { blocked.wait() }
        let request = SimpleNetworking(over: Script(reports: reports, gate: gate)).get("/x") {
            $0.callbackQueue(queue).on(isolation: nil, progress: { seen.add($0.bytesReceived) })
        }
        await gate.arrivals(1)
        blocked.signal()
        try await eventually { seen.elements.last == 99 }
        // The value that the handler was called with before the newer ones came, if it was, and the newest.
        #expect(seen.elements.count <= 2)
        gate.open()
        await request.ended()
        #expect(seen.elements.suffix(2) == [99, 99])
    }

    @Test
    func aFailureHasNoFinalProgress() async {
        let seen = Recorder<TransferProgress>()
        let request = SimpleNetworking(over: Script(reports: [Self.half], response: TransportResponse(httpStatus: 500)))
            .post("/x") {
                $0.on(isolation: nil, progress: { seen.add($0) })
            }
        await request.ended()
        #expect(seen.elements.allSatisfy { $0 == Self.half })
    }

    @Test
    func anUnknownTotalHasNoFractionUntilTheEnd() async {
        let seen = Recorder<TransferProgress>()
        let request = SimpleNetworking(over: Script(reports: [TransferProgress(bytesReceived: 7)])).get("/x") {
            $0.on(isolation: nil, progress: { seen.add($0) })
        }
        await request.ended()
        #expect(seen.elements.dropLast().allSatisfy { $0.fractionReceived == nil })
        #expect(seen.elements.last?.fractionReceived == 1 && seen.elements.last?.bytesReceived == 7)
    }

    @Test
    func eachAttemptHasItsNumber() async {
        let seen = Recorder<Int>()
        let request = SimpleNetworking(over: Script(reports: [Self.half])).post("/x") {
            $0.on(isolation: nil, progress: { seen.add($0.attempt) })
                .on(isolation: nil, httpStatus: 200) { request, _ in
                    guard request.attempt < 3 else { return true }
                    request.retry()
                    return false
                }
        }
        await request.ended()
        #expect(seen.elements == seen.elements.sorted() && Set(seen.elements) == [1, 2, 3])
    }

    @Test
    func progressReportSetByConfigureIsCalledToo() async throws {
        let own = Recorder<Int>()
        let handlers = Recorder<Int>()
        let client = SimpleNetworking(over: Script(reports: [Self.half]))
        let request = SimpleRequest(Request<Void>.post("/x"))
            .configured { attempt in attempt.progress = { own.add($0.bytesSent) } }
            .on(isolation: nil, progress: { handlers.add($0.bytesSent) })
        _ = try await client.send(request)
        #expect(own.elements == [5] && handlers.elements.contains(5))
    }

    @Test
    func updatesEndWithTheExecution() async throws {
        let gate = Gate()
        let client = SimpleNetworking(over: Script(reports: [Self.half], gate: gate))
        let request = SimpleNetworking.post("/x")
        let updates = request.progressUpdates()
        request.execute(on: client)
        await gate.arrivals(1)
        var seen: [Double?] = []
        for await update in updates {
            seen.append(update.fractionSent)
            gate.open()
        }
        #expect(seen.first == 0.5 && seen.count <= 2)
    }

    @Test
    func fractionsStayBetweenNoneAndAll() {
        #expect(TransferProgress(bytesSent: 3, bytesToSend: 4).fractionSent == 0.75)
        #expect(TransferProgress(bytesSent: 5, bytesToSend: 4).fractionSent == 1)
        #expect(TransferProgress(bytesToReceive: 0).fractionReceived == 1)
        #expect(TransferProgress(bytesReceived: 4).fractionReceived == nil)
    }

    /// Otherwise, an execution that ends between the two would leave the stream to the next one.
    @Test
    func updatesListenForTheEndFirst() {
        let request = SimpleNetworking.get("/x")
        _ = request.progressUpdates()
        #expect(request.state.withLock { $0.handlers.map(\.kind) } == [.completion, .progress])
    }
}
