import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTraffic

/// The one request that is sent when the time is over for which a server has wanted none.
@Suite(.timeLimit(.minutes(5)))
struct TrafficProbeTests {
    private let lane: TrafficQueue.Lane

    init() throws {
        lane = TrafficQueue.Lane(origin: try #require(Origin("https://a.example")), account: nil)
    }

    /// A queue with requests of these numbers, of which those that may be sent are.
    private func queue(_ numbers: Range<Int>) -> TrafficQueue {
        var rules = TrafficRules()
        rules.respectsRateLimits = true
        var queue = TrafficQueue(rules, at: 0)
        add(numbers, to: &queue)
        _ = sent(&queue, at: 0)
        return queue
    }

    private func add(_ numbers: Range<Int>, to queue: inout TrafficQueue) {
        for number in numbers { queue.add(number, to: lane, .normal, at: 0) }
    }

    private func sent(_ queue: inout TrafficQueue, at now: TimeInterval) -> [Int] {
        var sent: [Int] = []
        while let number = queue.takeNext(at: now) { sent.append(number) }
        return sent
    }

    @Test func oneIsSentAndTheOthersAfterItsResponse() throws {
        var queue = queue(0..<1)
        queue.leave(0, of: lane, after: .response(.wait(30)), at: 1)
        add(1..<5, to: &queue)
        let other = TrafficQueue.Lane(origin: try #require(Origin("https://b.example")), account: nil)
        queue.add(9, to: other, .normal, at: 2)
        #expect(sent(&queue, at: 2) == [9])
        #expect(queue.nextMoment == 31)
        #expect(sent(&queue, at: 31) == [1])
        queue.leave(1, of: lane, after: .response(nil), at: 32)
        #expect(sent(&queue, at: 32) == [2, 3, 4])
    }

    @Test(arguments: [TrafficQueue.End.failure, .unsent], [0, 1])
    func oneThatHasNoResponseIsFollowedByOne(end: TrafficQueue.End, older: Int) {
        // An older request may still be in flight.
        var queue = queue(0..<1 + older)
        queue.leave(0, of: lane, after: .response(.wait(1)), at: 0)
        add(10..<13, to: &queue)
        #expect(sent(&queue, at: 1) == [10])
        queue.leave(10, of: lane, after: end, at: 2)
        #expect(sent(&queue, at: 2) == [11])
        queue.leave(11, of: lane, after: end, at: 3)
        #expect(sent(&queue, at: 3) == [12])
    }

    @Test(arguments: [nil, .remaining(100, within: 60)] as [RateLimitHint?])
    func responsesToOlderRequestsOpenNothing(word: RateLimitHint?) {
        var queue = queue(0..<3)
        queue.leave(0, of: lane, after: .response(.wait(1)), at: 0)
        add(10..<13, to: &queue)
        queue.leave(1, of: lane, after: .response(word), at: 0.5)
        #expect(sent(&queue, at: 0.5) == [])
        #expect(sent(&queue, at: 1) == [10])
        queue.leave(2, of: lane, after: .response(word), at: 2)
        #expect(sent(&queue, at: 2) == [])
        queue.leave(10, of: lane, after: .response(nil), at: 3)
        #expect(sent(&queue, at: 3) == [11, 12])
    }

    @Test func anOlderRequestsResponseMayProlongTheWait() {
        var queue = queue(0..<2)
        queue.leave(0, of: lane, after: .response(.wait(1)), at: 0)
        add(10..<12, to: &queue)
        #expect(sent(&queue, at: 1) == [10])
        queue.leave(1, of: lane, after: .response(.wait(30)), at: 2)
        queue.leave(10, of: lane, after: .response(nil), at: 3)
        #expect(sent(&queue, at: 31) == [])
        #expect(sent(&queue, at: 32) == [11])
    }

    @Test func aWaitOfNoTimeLetsOneGoAfterTheOther() {
        var queue = queue(0..<1)
        queue.leave(0, of: lane, after: .response(.wait(0)), at: 0)
        add(10..<13, to: &queue)
        #expect(sent(&queue, at: 0) == [10])
        queue.leave(10, of: lane, after: .response(.wait(0)), at: 1)
        #expect(sent(&queue, at: 1) == [11])
        queue.leave(11, of: lane, after: .response(.remaining(5, within: 60)), at: 2)
        #expect(sent(&queue, at: 2) == [12])
    }

    @Test func aClientGoesOnWhenItIsCancelledBesideAnOlderRequest() async throws {
        let server = StubTransport()
        let long = Gate()
        let probe = Gate()
        server.on("/long", .json("{}").after(long)).on("/a", .status(429, headers: ["Retry-After": "1"]))
            .on("/probe", .json("{}").after(probe)).on("*", .json("{}"))
        let clock = VirtualClock()
        let client = SimpleNetworking(over: server, clock: clock) { $0.traffic.respectsRateLimits = true }
        let held = client.get("/long")
        await long.arrivals(1)
        #expect(await client.get("/a").ended().error?.httpStatus == 429)
        clock.advance(by: 1)
        let cancelled = client.get("/probe")
        await probe.arrivals(1)
        let next = client.get("/c")
        try await eventually { next.trace.description.contains("waits") }
        cancelled.cancel()
        #expect(await next.ended().value != nil)
        #expect(held.trace.end == nil)
        long.open()
        #expect(await held.ended().value != nil)
    }

    /// Its end says nothing more.
    @Test(arguments: [true, false])
    func theOthersFollowTheHeadOfADownload(countsRequests: Bool) async throws {
        let rest = Gate()
        let folder = ScratchFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let fields: HTTPHeaders = countsRequests ? ["RateLimit": #""default";r=50;t=30"#] : [:]
        let server = StubTransport().on("/limit", .status(429, headers: ["Retry-After": "1"]))
            .on("/film", .pieces("one", .gate(rest), "two", headers: fields))
        let clock = VirtualClock()
        let client = SimpleNetworking(over: server, clock: clock) { $0.traffic.respectsRateLimits = true }
        #expect(await client.get("/limit").ended().error?.httpStatus == 429)
        let films = (0..<3).map { number in
            client.get("/film") { $0.download(to: folder.url.appendingPathComponent("\(number)")) }
        }
        try await eventually { films.allSatisfy { $0.trace.description.contains("waits") } }
        clock.advance(by: 1)
        await rest.arrivals(1)
        try await withinSeconds(20) { await rest.arrivals(3) }
        rest.open()
        for film in films { #expect(await film.ended().value != nil) }
    }

    @Test
    func theOthersFollowTheHeadOfAResponseWhoseContentFails() async throws {
        let next = Gate()
        let fields: HTTPHeaders = ["RateLimit": #""default";r=50;t=30"#]
        let server = StubTransport().on("/limit", .status(429, headers: ["Retry-After": "1"]))
            .on("/x", .text("too large", headers: fields), times: 1).on("/x", .text("x").after(next))
        let clock = VirtualClock()
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.traffic.respectsRateLimits = true
            $0.maxResponseSize = 1
        }
        #expect(await client.get("/limit").ended().error?.httpStatus == 429)
        let requests = (0..<3).map { _ in client.get("/x") }
        try await eventually { requests.allSatisfy { $0.trace.description.contains("waits") } }
        clock.advance(by: 1)
        try await withinSeconds(20) { await next.arrivals(2) }
        next.open()
        var failures = 0
        for request in requests where await request.ended().error != nil { failures += 1 }
        #expect(failures == 1)
    }
}
