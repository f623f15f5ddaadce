import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// `suspend()` and `resume()`, over stubs.
@Suite(.timeLimit(.minutes(5)))
struct SuspensionTests {
    private let folder = ScratchFolder()
    private var file: URL { folder.url }

    @Test
    func aRequestSuspendedBeforeItsExecutionIsSentWhenItIsResumed() async throws {
        let server = StubTransport().on("/x", .json("{}")).on("/y", .json("{}"))
        let client = SimpleNetworking(over: server)
        let request = SimpleNetworking.get("/x")
        request.suspend()
        request.suspend()
        #expect(request.isSuspended)
        request.execute(on: client)
        _ = try await client.send(SimpleNetworking.get("/y"))
        #expect(server.requests.map(\.url.path) == ["/y"] && request.isSuspended)
        request.resume()
        #expect(await request.ended().value?.httpStatus == 200)
        #expect(!request.isSuspended)
        #expect(server.requests.map(\.url.path) == ["/y", "/x"])
        // Only the suspended execution was held back.
        request.execute(on: client)
        #expect(await request.ended().value?.httpStatus == 200)
    }

    @Test
    func anAwaitedRequestSuspendedBeforeItIsSentWaits() async throws {
        let server = StubTransport().on("/x", .json("{}"))
        let client = SimpleNetworking(over: server)
        let request = SimpleNetworking.get("/x")
        request.suspend()
        async let response = client.send(request)
        try await eventually { request.trace.events.contains { if case .suspended = $0.kind { true } else { false } } }
        #expect(server.requests.isEmpty && request.isSuspended)
        request.resume()
        #expect(try await response.httpStatus == 200)
        #expect(!request.isSuspended)
    }

    @Test
    func everyAwaitedCopyIsSuspendedAndResumed() async throws {
        let sent = Locked(0)
        let mayAnswer = Gate()
        let server = StubTransport().on("/x") { _ in
            let isFirst = sent.withLock { count in
                count += 1
                return count <= 3
            }
            guard isFirst else { return .json("{}") }
            try await mayAnswer.wait()
            return .json("{}", status: 503)
        }
        let clock = VirtualClock()
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(1))
        }
        let request = SimpleNetworking.get("/x")
        async let first = client.send(request)
        async let second = client.send(request)
        async let third = client.send(request)
        try await eventually { sent.withLock { $0 } == 3 }
        request.suspend()
        mayAnswer.open()
        await clock.alarms(3, for: .retry)
        clock.advance(by: 1)
        for _ in 0..<100 { await Task.yield() }
        #expect(sent.withLock { $0 } == 3 && request.isSuspended)
        request.resume()
        let responses = try await [first, second, third]
        #expect(responses.map(\.httpStatus) == [200, 200, 200])
    }

    @Test
    func aSuspendedRequestEndsWhenItIsCancelled() async throws {
        let server = StubTransport().on("/x", .json("{}"))
        let request = SimpleNetworking.get("/x")
        request.suspend()
        request.execute(on: SimpleNetworking(over: server))
        request.cancel()
        #expect(await request.ended().error?.isCancellation == true)
        #expect(server.requests.isEmpty)
        try expectOrder(of: request, [.completion])
    }

    @Test
    func theDeadlineEndsASuspendedRequest() async throws {
        let clock = VirtualClock()
        let server = StubTransport().on("/x", .json("{}"))
        let request = SimpleNetworking.get("/x").deadline(30)
        request.suspend()
        request.execute(on: SimpleNetworking(over: server, clock: clock))
        await clock.alarms(1, for: .deadline)
        clock.advance(by: 31)
        guard case .timedOut(.deadline(30), _)? = await request.ended().error else {
            throw Surprise(request.trace.description)
        }
        #expect(server.requests.isEmpty)
    }

    @Test
    func aRequestResumesWhenTheObjectThatSuspendedItIsReleased() async throws {
        let server = StubTransport().on("/x", .json("{}"))
        let client = SimpleNetworking(over: server)
        let isDone = Gate()
        var request: SimpleRequest? = client.get("/x") { request in
            request.suspend()
            return request.on(completion: { _ in isDone.open() })
        }
        #expect(request?.isSuspended == true)
        #expect(server.requests.isEmpty)
        request = nil
        try await isDone.wait()
        #expect(server.requests.count == 1)
    }

    @Test
    func theObjectOfAStatusHandlerSuspendsTheRequestOnlyWhileItExists() async throws {
        let server = StubTransport().on("/x", .json("{}", status: 503), times: 1).on("/x", .json("{}"))
        let kept = Locked<SimpleRequest?>(nil)
        let isHandled = Gate()
        let request = SimpleNetworking(over: server).get("/x") { request in
            request.on(httpStatus: 503) { request, _ in
                request.suspend()
                request.retry()
                kept.withLock { $0 = request }
                isHandled.open()
                return false
            }
        }
        try await isHandled.wait()
        #expect(request.isSuspended && server.requests.count == 1)
        kept.withLock { $0 = nil }
        #expect(await request.ended().value?.httpStatus == 200)
        #expect(server.requests.count == 2)
    }

    @Test
    func aRetryOfTheRetryPolicyWaitsUntilTheRequestIsResumed() async throws {
        let isAnswered = Gate()
        let mayAnswer = Gate()
        let server = StubTransport()
            .on("/x", times: 1) { _ in
                isAnswered.open()
                try await mayAnswer.wait()
                return .json("{}", status: 503)
            }
            .on("/x", .json("{}"))
        let clock = VirtualClock()
        let request = SimpleNetworking(over: server, clock: clock) {
            $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(1))
        }.get("/x")
        try await isAnswered.wait()
        // A transfer in memory continues, and what comes after it waits.
        request.suspend()
        mayAnswer.open()
        await clock.alarms(1, for: .retry)
        clock.advance(by: 2)
        try await eventually { request.trace.events.contains { if case .retry = $0.kind { true } else { false } } }
        #expect(server.requests.count == 1)
        request.resume()
        #expect(await request.ended().value?.httpStatus == 200)
        #expect(server.requests.count == 2)
    }

    @Test
    func aSuspendedRequestGivesItsTurnToOthers() async throws {
        let (isFirstSent, mayFirstEnd) = (Gate(), Gate())
        let server = StubTransport().on("/first") { _ in
            isFirstSent.open()
            try await mayFirstEnd.wait()
            return .json("{}")
        }.on("/film", .json("{}")).on("/other", .json("{}"))
        let client = SimpleNetworking(over: server) { $0.traffic.inFlight = 1 }
        let first = client.get("/first")
        try await isFirstSent.wait()
        let film = client.get("/film") { $0.download(to: file) }
        try await eventually { film.trace.description.contains("waits for its turn") }
        film.suspend()
        let other = client.get("/other")
        mayFirstEnd.open()
        #expect(await other.ended().value?.httpStatus == 200)
        #expect(await first.ended().value?.httpStatus == 200)
        #expect(server.requests.map(\.url.path) == ["/first", "/other"])
        film.resume()
        #expect(await film.ended().value?.httpStatus == 200)
        #expect(server.requests.last?.url.path == "/film")
    }

    @Test
    func oneSuspendedRequestDoesNotHoldBackATransferThatOthersShare() async throws {
        let (isSent, mayEnd) = (Gate(), Gate())
        let server = StubTransport().on("/x") { _ in
            isSent.open()
            try await mayEnd.wait()
            return .json("{}")
        }
        let client = SimpleNetworking(over: server) { $0.traffic.coalesces = true }
        let first = client.get("/x")
        try await isSent.wait()
        let second = client.get("/x")
        try await eventually { second.trace.description.contains("joins") }
        first.suspend()
        mayEnd.open()
        #expect(await second.ended().value?.httpStatus == 200)
        #expect(server.requests.count == 1)
        first.resume()
        #expect(await first.ended().value?.httpStatus == 200)
    }

    @Test
    func theTraceSaysThatTheRequestWasSuspendedAndResumed() async throws {
        let server = StubTransport().on("/x", .json("{}"))
        let request = SimpleNetworking.get("/x")
        request.suspend()
        request.execute(on: SimpleNetworking(over: server))
        request.resume()
        request.resume()
        _ = await request.ended()
        let lines = request.trace.events.map { "\($0.kind)" }.filter { $0 == "suspended" || $0 == "resumed" }
        #expect(lines == ["suspended", "resumed"])
    }

    @Test
    func theIdleTimeoutDoesNotEndASuspendedDownload() async throws {
        let clock = VirtualClock()
        let transport = TwoParts()
        let client = SimpleNetworking(over: transport, clock: clock) { $0.timeout = 10 }
        let download = client.get("/film") { $0.download(to: file) }
        try await transport.isBegun.wait()
        download.suspend()
        for _ in 0..<3 {
            try await eventually { clock.alarms(for: .timeout).contains(where: \.isFinite) }
            clock.advance(by: 10)
        }
        download.resume()
        // A whole timeout begins anew.
        try await eventually { clock.alarms(for: .timeout).contains(where: \.isFinite) }
        clock.advance(by: 9)
        transport.mayGoOn.open()
        #expect(await download.ended().value?.httpStatus == 200)
        #expect(try Data(contentsOf: file) == Data("one two".utf8))
    }

    @Test
    func theIdleTimeoutAppliesAgainAfterTheDownloadIsResumed() async throws {
        let clock = VirtualClock()
        let transport = TwoParts()
        let client = SimpleNetworking(over: transport, clock: clock) { $0.timeout = 10 }
        let download = client.get("/film") { $0.download(to: file) }
        try await transport.isBegun.wait()
        download.suspend()
        download.resume()
        // The first alarm may have been set before the suspension, which then excuses it.
        for _ in 0..<2 {
            try await eventually {
                clock.alarms(for: .timeout).contains(where: \.isFinite) || download.trace.description.contains("ended")
            }
            clock.advance(by: 10)
        }
        guard case .timedOut(.idle(10), _)? = await download.ended().error else {
            throw Surprise(download.trace.description)
        }
    }
}
