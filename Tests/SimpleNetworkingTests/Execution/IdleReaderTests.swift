import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking

/// The idle timeout over a transport of one's own, while the request's reader is slow.
@Suite(.timeLimit(.minutes(5)))
struct IdleReaderTests {
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
}
