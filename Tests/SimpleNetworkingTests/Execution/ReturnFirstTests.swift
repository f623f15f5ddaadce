import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking

/// No handler runs before the call that executes the request has returned, and no hook of an attempt within that call.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct ReturnFirstTests {
    private struct Immediate: Transport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            TransportResponse(httpStatus: 200, headers: ["Cache-Control": "max-age=60"], data: Data("{}".utf8))
        }
    }

    /// Does something after `super`, like a client that counts its requests.
    private final class Counting: SimpleNetworking, @unchecked Sendable {
        let hasReturned = Locked(false)

        override func execute(request: SimpleRequest) {
            super.execute(request: request)
            for _ in 0..<100 { _ = request.path }
            hasReturned.withLock { $0 = true }
        }
    }

    /// How an execution can end while the call that began it runs.
    enum Course: CaseIterable {
        case response, cached, invalidRequest, cancelledBefore, executedAgain

        fileprivate func request(on client: SimpleNetworking) -> SimpleRequest {
            let request = SimpleNetworking.get(self == .invalidRequest ? "/x\u{0}" : "/x")
            if self == .invalidRequest { request.header("X-Bad", "a\nb") }
            if self == .cancelledBefore { request.cancel() }
            return request
        }
    }

    /// Runs something on a thread that belongs to no pool and no actor.
    private func onThread(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { (isOver: CheckedContinuation<Void, Never>) in
            Thread.detachNewThread {
                work()
                isOver.resume()
            }
        }
    }

    @Test(arguments: Course.allCases)
    func noHandlerRunsBeforeASubclassHasReturnedFromExecute(course: Course) async {
        let client = Counting(host: "api.example.com") {
            ($0.transport, $0.logger, $0.cache) = (Immediate(), .quiet, course == .cached ? ResponseCache() : nil)
        }
        let early = Recorder<Int>()
        let rounds = Storm.size(2_000, full: 20_000)
        await onThread {
            for round in 0..<rounds {
                client.hasReturned.withLock { $0 = false }
                let hasEnded = DispatchSemaphore(value: 0)
                let request = course.request(on: client)
                    .on(
                        isolation: nil,
                        completion: { _ in
                            if !client.hasReturned.withLock({ $0 }) { early.add(round) }
                            hasEnded.signal()
                        }
                    )
                request.execute(on: client)
                hasEnded.wait()
                guard course == .executedAgain else { continue }
                client.hasReturned.withLock { $0 = false }
                request.execute(on: client)
                hasEnded.wait()
            }
        }
        let count = early.elements.count
        guard course == .executedAgain else {
            #expect(count == 0, "\(count) of \(rounds)")
            return
        }
        // While the last handler of the execution before still runs, the call may return too late, once in some thousand.
        withKnownIssue(isIntermittent: true) { #expect(count == 0, "\(count) of \(rounds)") }
    }
}
