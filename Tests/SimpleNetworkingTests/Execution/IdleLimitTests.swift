import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworkingCore

/// The idle timeout over a transport of one's own, while the request's reader is slow, or what makes its content is.
@Suite(.timeLimit(.minutes(5)))
struct IdleLimitTests {
    private let clock = VirtualClock()

    /// Reports progress while the reader takes a part, as a transport does that reads ahead.
    private struct ReadingAhead: Transport {
        let clock: VirtualClock
        let hasReported = Gate()

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            guard case .stream(let receive) = request.sink else { throw Surprise("no stream") }
            try await receive(.head(status: 200, headers: [:]))
            async let isTaken: Void = receive(.content(Data("first".utf8)))
            // Nothing is counted from when the reader has the part.
            while clock.alarms(for: .timeout).contains(where: \.isFinite) { await Task.yield() }
            request.progress?(TransferProgress(bytesReceived: 10))
            hasReported.open()
            try await isTaken
            try await receive(.content(Data("second".utf8)))
            return TransportResponse(httpStatus: 200)
        }
    }

    /// Reports each piece of the request's content that it has sent.
    private struct Sending: Transport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            guard case .chunks(_, let chunks) = request.body else { throw Surprise("no chunks") }
            var sent = Data()
            for try await chunk in chunks {
                sent += chunk
                request.progress?(TransferProgress(bytesSent: sent.count))
            }
            _ = try await chunks.trailers?()
            return TransportResponse(httpStatus: 200, data: sent)
        }
    }

    /// Where the request's own code takes long to make its content.
    enum SlowPart: CaseIterable { case piece, end, trailers }

    @Test(arguments: SlowPart.allCases)
    func theTimeThatTheContentTakesToMakeDoesNotCount(slow: SlowPart) async throws {
        let (isAsked, mayGoOn) = (Gate(), Gate())
        let client = SimpleNetworking(over: Sending(), clock: clock) { $0.timeout = 10 }
        let wait: @Sendable (SlowPart) async throws -> Void = { part in
            guard part == slow else { return }
            isAsked.open()
            try await mayGoOn.wait()
        }
        let chunks = BodyChunks {
            try await wait(.trailers)
            return [:]
        } _: {
            let rest = Locked(["first", "second"])
            return AsyncThrowingStream<Data, any Error> {
                let count = rest.withLock { $0.count }
                if count == 1 { try await wait(.piece) }
                if count == 0 { try await wait(.end) }
                return rest.withLock { $0.isEmpty ? nil : Data($0.removeFirst().utf8) }
            }
        }
        let request = SimpleNetworking.post("/log").body(chunks: chunks, contentType: .text).execute(on: client)
        try await isAsked.wait()
        clock.advance(by: 60)
        mayGoOn.open()
        #expect(await request.ended().value?.text == "firstsecond")
    }

    /// What is sent is not seen, so its time doesn't count either.
    @Test
    func contentThatWasMadeDoesNotBeginToCount() async throws {
        let (isMade, mayRespond) = (Gate(), Gate())
        let client = SimpleNetworking(over: Silent(isMade: isMade, mayRespond: mayRespond), clock: clock) {
            $0.timeout = 10
        }
        let chunks = BodyChunks { AsyncStream<Data> { $0.finish() } }
        let request = SimpleNetworking.post("/log").body(chunks: chunks, contentType: .text).execute(on: client)
        try await isMade.wait()
        clock.advance(by: 60)
        mayRespond.open()
        #expect(await request.ended().value?.httpStatus == 200)
    }

    /// Reports nothing of what it sends.
    private struct Silent: Transport {
        let isMade: Gate
        let mayRespond: Gate

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            if case .chunks(_, let chunks) = request.body { for try await _ in chunks {} }
            isMade.open()
            try await mayRespond.wait()
            return TransportResponse(httpStatus: 200)
        }
    }

    @Test
    func progressMeanwhileDoesNotCountTheReadersTime() async throws {
        let transport = ReadingAhead(clock: clock)
        let client = SimpleNetworking(over: transport, clock: clock) { $0.timeout = 10 }
        var bytes = client.bytes(for: SimpleNetworking.get("/log")).makeAsyncIterator()
        _ = try await bytes.head()
        try await transport.hasReported.wait()
        clock.advance(by: 60)
        #expect(try await bytes.next() == Data("first".utf8))
        #expect(try await bytes.next() == Data("second".utf8))
        #expect(try await bytes.next() == nil)
    }

    /// Something else happens while an alarm is set, once.
    private final class InterruptedClock: RequestClock {
        let clock = VirtualClock()
        let interruption = Locked<(@Sendable () -> Void)?>(nil)

        var now: TimeInterval { clock.now }

        func schedule(
            after seconds: TimeInterval,
            for label: AlarmLabel,
            _ work: @escaping @Sendable () -> Void
        ) -> @Sendable () -> Void {
            defer { interruption.take()?() }
            return clock.schedule(after: seconds, for: label, work)
        }
    }

    @Test
    func aReportThatIsOvertakenByALaterOneDoesNotCount() {
        let clock = InterruptedClock()
        let hasExpired = Locked(false)
        let idle = IdleLimit(10, clock) { hasExpired.withLock { $0 = true } }
        clock.interruption.exchange {
            clock.clock.advance(by: 5)
            idle.restart()
        }
        idle.restart()
        clock.clock.advance(by: 9)
        #expect(!hasExpired.withLock { $0 })
        clock.clock.advance(by: 1)
        #expect(hasExpired.withLock { $0 })
        #expect(clock.clock.alarms.isEmpty)
    }
}
