import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

/// Requests that wait for a refresh which another refresh has begun: they belong to neither.
@Suite(.timeLimit(.minutes(5)))
struct StrangeRefreshTests {
    private final class Naive: SimpleNetworking, @unchecked Sendable {
        let refresh = Locked<@Sendable () async throws -> Void>({})
        let refusals = Locked(0)

        override func execute(request: SimpleRequest) {
            if request.httpStatusHandlers[401] == nil {
                request.on(httpStatus: 401) { request, _ in
                    self.reauthenticate(request, refreshing: self.refresh.withLock { $0 })
                    self.refusals.withLock { $0 += 1 }
                    return false
                }
            }
            super.execute(request: request)
        }

        func waitForRefusals(_ count: Int) async { while refusals.withLock({ $0 }) < count { await Task.yield() } }
    }

    private func client(_ host: String, _ paths: [String]) -> Naive {
        let server = StubTransport()
        for path in paths { server.on(path, .status(401), times: 1).on(path, .text("ok")) }
        return Naive(over: server, host: host) { $0.refreshTimeout = 60 }
    }

    @Test
    func aRequestThatWaitedForAnotherClientsRefreshMayStillBeRefreshed() async throws {
        let shop = client("shop.example.com", ["/orders", "/follow"])
        let identity = client("id.example.com", ["/token", "/user"])
        shop.refresh.withLock { refresh in
            refresh = {
                await identity.get("/token").ended()
                // It runs until the request below is refused, too.
                await shop.waitForRefusals(2)
            }
        }
        identity.refresh.withLock { $0 = { await identity.waitForRefusals(2) } }
        let first = shop.get("/orders")
        await identity.waitForRefusals(1)
        let follow = Locked<SimpleRequest?>(nil)
        let user = identity.get("/user") {
            $0.on(isolation: nil, success: { (_: SimpleResponse) in follow.exchange(shop.get("/follow")) })
        }
        #expect(await user.ended().value?.text == "ok")
        let request = try #require(follow.withLock { $0 })
        #expect(await request.ended().value?.text == "ok")
        #expect(await first.ended().value?.text == "ok")
    }
}
