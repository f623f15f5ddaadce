import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

@Suite(.timeLimit(.minutes(5)))
struct RefreshTests {
    @Test(arguments: RefreshWay.allCases)
    func aHundredRefusalsAtOnceCauseOneRefreshAndAllSucceed(way: RefreshWay) async throws {
        for _ in 0..<Storm.size(10, full: 200) {
            let gate = Gate()
            let server = TokenServer(refusals: gate)
            let client = way.client(server)
            let requests = (0..<100).map { client.get("/x\($0)") }
            try await withinSeconds(120) { await gate.arrivals(100) }
            gate.open()
            for request in requests {
                let ended = await request.ended()
                #expect(ended.value?.text == "welcome", "\(request.trace)")
            }
            #expect(server.count("/auth") == 1)
            #expect(server.log.count == 201)
        }
    }

    @Test(arguments: RefreshWay.allCases)
    func lateRefusalOfTheOldTokenIsRetriedWithoutARefresh(way: RefreshWay) async throws {
        let gate = Gate()
        let server = TokenServer(refusals: gate)
        let client = way.client(server)
        let late = client.get("/late")
        try await withinSeconds(120) { await gate.arrivals(1) }
        // Signed with the new token from the start, but for this one.
        let hurried = way.client(TokenServer())
        #expect(await hurried.get("/y").ended().value != nil)
        let first = client.get("/first")
        try await withinSeconds(120) { await gate.arrivals(2) }
        gate.open()
        #expect(await first.ended().value != nil)
        #expect(await late.ended().value != nil)
        #expect(server.count("/auth") == 1)
    }

    @Test(arguments: RefreshWay.allCases)
    func refreshThatNeverEndsFailsAllWaitingRequestsAtItsTimeout(way: RefreshWay) async throws {
        let clock = VirtualClock()
        let requested = Gate()
        let server = TokenServer(refresh: {
            try await requested.wait(); return nil
        })
        let client = way.client(server) {
            $0.clock = clock; $0.timeout = 1000
        }
        let requests = (0..<100).map { client.get("/x\($0)") }
        try await withinSeconds(120) { await requested.arrivals(1) }
        try await eventually { requests.allSatisfy { $0.trace.events.contains { $0.isRefresh } } }
        clock.advance(by: 29)
        #expect(requests.allSatisfy { $0.trace.end == nil })
        clock.advance(by: 2)
        for request in requests {
            let error = await request.ended().error
            guard case .authentication(let failure)? = error else {
                Issue.record("\(request.trace)")
                continue
            }
            #expect(failure.underlying as? RefreshFailure == .timedOut(30))
            // Those that came while the refresh ran were not sent at all.
            #expect(error?.response?.text ?? "refused" == "refused")
        }
        #expect(server.count("/auth") == 1)
    }

    @Test(arguments: RefreshWay.allCases)
    func failedRefreshEndsAllWaitingRequestsAndALaterOneMayTryAgain(way: RefreshWay) async throws {
        let gate = Gate()
        let isDown = Locked(true)
        let server = TokenServer(refusals: gate) {
            isDown.withLock { $0 } ? TransportResponse(httpStatus: 503, data: Data("down".utf8)) : nil
        }
        let client = way.client(server)
        let requests = (0..<100).map { client.get("/x\($0)") }
        try await withinSeconds(120) { await gate.arrivals(100) }
        gate.open()
        for request in requests {
            guard case .authentication(let failure)? = await request.ended().error else {
                Issue.record("\(request.trace)")
                continue
            }
            #expect((failure.underlying as? SimpleNetworkingError)?.response?.text == "down")
        }
        #expect(server.count("/auth") == 1)
        isDown.withLock { $0 = false }
        #expect(await client.get("/y").ended().value?.text == "welcome")
        #expect(server.count("/auth") == 2)
    }

    @Test(arguments: RefreshWay.allCases)
    func secondRefusalOfARefreshedTokenIsFinalWithTheServersBody(way: RefreshWay) async throws {
        let server = TokenServer()
        let error = await way.client(server).get("/never").ended().error
        guard case .clientError(let response)? = error else { throw "\(String(describing: error))".asError }
        #expect(response.text == "refused")
        #expect(server.log == ["/never", "/auth", "/never"])
    }

    @Test(arguments: RefreshWay.allCases)
    func status403DoesNotRefresh(way: RefreshWay) async throws {
        let server = TokenServer()
        #expect(await way.client(server).get("/forbidden").ended().error?.httpStatus == 403)
        #expect(server.log == ["/forbidden"])
    }

    @Test(arguments: RefreshWay.allCases)
    func aRefreshThatIsRefusedItselfDoesNotWaitForItself(way: RefreshWay) async throws {
        let server = TokenServer(refresh: { TransportResponse(httpStatus: 401, data: Data("who?".utf8)) })
        let error = await way.client(server).get("/x").ended().error
        guard case .authentication(let failure)? = error else { throw "\(String(describing: error))".asError }
        #expect((failure.underlying as? SimpleNetworkingError)?.response?.text == "who?")
        #expect(server.log == ["/x", "/auth"])
    }

    @Test(arguments: RefreshWay.allCases)
    func refreshedCredentialIsUsedByLaterRequests(way: RefreshWay) async throws {
        let server = TokenServer()
        let client = way.client(server)
        #expect(await client.get("/x").ended().value != nil)
        #expect(await client.get("/y").ended().value?.attempt == 1)
        server.changeToken(to: "t2")
        #expect(await client.get("/z").ended().value != nil)
        #expect(server.log == ["/x", "/auth", "/x", "/y", "/z", "/auth", "/z"])
    }

    @Test(arguments: RefreshWay.allCases)
    func traceShowsWhichRequestRefreshedAndWhichWaited(way: RefreshWay) async throws {
        let gate = Gate()
        let client = way.client(TokenServer(refusals: gate))
        let requests = [client.get("/x"), client.get("/y")]
        try await withinSeconds(120) { await gate.arrivals(2) }
        gate.open()
        for request in requests { #expect(await request.ended().value != nil) }
        let steps = requests.flatMap { $0.trace.events.compactMap(\.refresh) }
        #expect(Set(steps).isSubset(of: [.started, .joined, .superseded]))
        #expect(steps.filter { $0 == .started }.count == 1)
        #expect(steps.count == 2)
    }
}

extension RequestEvent {
    var refresh: RequestEvent.RefreshStep? { if case .refresh(let step) = kind { step } else { nil } }
    var isRefresh: Bool { refresh != nil }
}
