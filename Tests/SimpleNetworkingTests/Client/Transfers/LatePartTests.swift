import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

/// Transports of one's own that go on after the attempt is over.
@Suite(.timeLimit(.minutes(5)))
struct LatePartTests {
    /// Passes on the head of the first attempt, which has timed out, while the second one is under way.
    private struct Unaware: Transport {
        let attempts = Locked(0)
        let mayGoOn = Gate()
        let hasGoneOn = Gate()

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            guard case .stream(let receive) = request.sink else { throw Surprise("no stream") }
            switch attempts.next() {
            case 1:
                // Isn't cancelled with the attempt.
                try await Task { try await mayGoOn.wait() }.value
                try? await receive(.head(status: 200, headers: ["X-Attempt": "1"]))
                hasGoneOn.open()
                throw NetworkFailure(.connectionLost)
            case 2:
                mayGoOn.open()
                try await hasGoneOn.wait()
                throw NetworkFailure(.connectionLost)
            default:
                try await receive(.head(status: 200, headers: ["X-Attempt": "3"]))
                try await receive(.content(Data("third".utf8)))
                return TransportResponse(httpStatus: 200)
            }
        }
    }

    @Test
    func aPartOfAnAttemptThatIsOverKeepsNoStreamFromBeginningAgain() async throws {
        let clock = VirtualClock()
        let client = SimpleNetworking(over: Unaware(), clock: clock)
        let request = SimpleNetworking.get("/log").timeout(10).retry(RetryPolicy(attempts: 3, backoff: .constant(0)))
        let text = Task {
            var pieces = client.bytes(for: request).makeAsyncIterator()
            #expect(try await pieces.head()?.headers["X-Attempt"] == "3")
            return try await pieces.next().map { String(decoding: $0, as: UTF8.self) }
        }
        try await clock.advance(to: .timeout)
        #expect(try await text.value == "third", "\(request.trace)")
    }

    @Test
    func aFileIsTakenAsLongAsItsTaskWritesAlsoWhenATransferHasReturned() async throws {
        let files = ExclusiveFiles()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let url = try #require(URL(string: "https://a.test/"))
        let request = TransportRequest(head: RequestHead(url: url), timeout: 0)
        let clock = VirtualClock()
        try await files.withFile(at: file, for: request, clock) {
            let leave = files.keep(file)
            leave()
            let error = await #expect(throws: SimpleNetworkingError.self) {
                try await files.withFile(at: file, for: request, clock) {}
            }
            guard case .invalidRequest? = error else { throw Surprise("it waits") }
        }
    }
}
