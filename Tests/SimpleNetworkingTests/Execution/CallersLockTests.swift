import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

/// A caller that executes a request while it holds a lock which the request's own hooks take.
@Suite(.timeLimit(.minutes(5)))
struct CallersLockTests {
    /// The code of a user that an attempt passes through.
    enum Hook: CaseIterable, Sendable { case prepare, configure, authenticator, middleware, transport }

    private final class Preparing: SimpleNetworking, @unchecked Sendable {
        let take = Locked<(@Sendable () -> Void)?>(nil)

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            take.withLock { $0 }?()
        }
    }

    private struct Taking: Transport, Middleware, Authenticator {
        let take: @Sendable () -> Void
        /// Otherwise the client sees to the timeout, and runs `send` in another task.
        let enforcesTimeouts = true

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            take()
            return TransportResponse(httpStatus: 200)
        }

        func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
            take()
            return try await next(request)
        }

        func credential() async throws -> String? {
            take()
            return "token"
        }

        func sign(_ request: inout TransportRequest, with credential: String) {}
    }

    @Test(arguments: Hook.allCases)
    func getReturnsWhileTheCallerHoldsALockThatAHookTakes(hook: Hook) async throws {
        let lock = NSLock()
        let taking = Taking {
            lock.lock()
            lock.unlock()
        }
        let server = try RawServer { _ in .response() }
        let client = Preparing(of: server) {
            if hook == .authenticator { $0.authenticator = taking }
            if hook == .middleware { $0.middleware = [taking] }
            if hook == .transport { $0.transport = taking }
        }
        if hook == .prepare { client.take.withLock { $0 = taking.take } }
        let plain = SimpleNetworking(baseURL: server.url()) { $0 = client.configuration }
        try await withinSeconds(60) {
            let end = await withCheckedContinuation { (ended: CheckedContinuation<Outcome, Never>) in
                Thread.detachNewThread {
                    lock.lock()
                    let request = SimpleNetworking.get("/x")
                    if hook == .configure { _ = request.configured { _ in taking.take() } }
                    request.on(isolation: nil, completion: { ended.resume(returning: $0) })
                    request.execute(on: hook == .prepare ? client : plain)
                    lock.unlock()
                }
            }
            #expect(end.value != nil)
        }
    }
}
