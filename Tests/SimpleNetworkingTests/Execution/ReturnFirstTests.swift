import Foundation
import SimpleNetworkingPagination
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// No handler runs before the call that executes the request has returned, and no hook of an attempt within that call.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct ReturnFirstTests {
    /// Responds at once: with two pages of a list, and to each second request for `/busy` with 503.
    private final class Immediate: Transport {
        private let isBusy = Locked(false)

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            var headers: HTTPHeaders = ["Cache-Control": "max-age=60"]
            if request.url.query == nil { headers["Link"] = "<?page=2>; rel=next" }
            let isBusy = isBusy.withLock { isBusy in
                isBusy = !isBusy && request.url.path == "/busy"
                return isBusy
            }
            return TransportResponse(httpStatus: isBusy ? 503 : 200, headers: headers, data: Data("[]".utf8))
        }
    }

    /// Does something after `super`, like a client that counts its requests.
    private final class Counting: SimpleNetworking, @unchecked Sendable {
        let hasReturned = Locked(false)

        override func execute(request: SimpleRequest) {
            hasReturned.withLock { $0 = false }
            super.execute(request: request)
            for _ in 0..<100 { _ = request.path }
            hasReturned.withLock { $0 = true }
        }
    }

    /// How an execution can come to its handlers.
    enum Course: CaseIterable {
        case response, cached, invalidRequest, cancelledBefore
        case retriedLater, retriedElsewhere, furtherPage, executedAgain, executedAgainByItsHandler
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
        let client = Counting(over: Immediate()) { $0.cache = course == .cached ? ResponseCache() : nil }
        let rounds = Storm.size(2_000, full: 20_000)
        let count = Locked(0)
        await onThread {
            for _ in 0..<rounds where self.isEarly(course, on: client) { count.withLock { $0 += 1 } }
        }
        let early = count.withLock { $0 }
        #expect(early == 0, "\(early) of \(rounds)")
    }

    /// Whether any handler ran while the client's `execute(request:)` did.
    private func isEarly(_ course: Course, on client: Counting) -> Bool {
        let isEarly = Locked(false)
        let hasEnded = DispatchSemaphore(value: 0)
        let runs = Locked(0)
        func look() { if !client.hasReturned.withLock({ $0 }) { isEarly.withLock { $0 = true } } }

        let path = course == .response ? "/x" : "/busy"
        let request = SimpleNetworking.get(path)
        request.on(isolation: nil, httpStatus: 503) { request, _ in
            look()
            switch course {
            case .retriedLater: request.retry(after: 0.000_1)
            case .retriedElsewhere: DispatchQueue.global().async { request.retry() }
            default: return true
            }
            return false
        }
        if course == .furtherPage {
            request.on(isolation: nil, page: .links(), of: Int.self) { _ in
                look()
                return true
            }
        }
        request.on(
            isolation: nil,
            completion: { [weak request] _ in
                look()
                let run = runs.withLock { runs in
                    runs += 1
                    return runs
                }
                if course == .executedAgainByItsHandler, run == 1 {
                    request?.execute(on: client)
                } else {
                    hasEnded.signal()
                }
            }
        )
        if course == .invalidRequest { request.header("X-Bad", "a\nb") }
        if course == .cancelledBefore { request.cancel() }
        request.execute(on: client)
        hasEnded.wait()
        if course == .executedAgain {
            request.execute(on: client)
            hasEnded.wait()
        }
        return isEarly.withLock { $0 }
    }
}
