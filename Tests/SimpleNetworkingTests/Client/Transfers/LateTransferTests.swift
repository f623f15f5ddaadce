import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworkingCore

/// Downloads over a transport that does not enforce timeouts, and whose transfers go on after them.
@Suite(.timeLimit(.minutes(5)))
struct LateTransferTests {
    private let folder = ScratchFolder()
    private let file: URL
    private let clock = VirtualClock()

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        file = folder.url.appendingPathComponent("film.mp4")
    }

    private var text: String? { try? String(contentsOf: file, encoding: .utf8) }

    /// Loses the first connection after half of the content, and lets a test play the transfers that follow.
    private final class Server: Transport, Sendable {
        typealias Receive = @Sendable (ResponsePart) async throws -> Void

        let ranges = Recorder<String?>()
        let ends = Recorder<String>()
        /// The second transfer waits here, whatever its task is told, and the third one on its way.
        let (late, middle) = (Gate(), Gate())

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            guard case .stream(let receive) = request.sink else { throw Surprise("no stream") }
            ranges.add(request.headers["Range"])
            switch ranges.elements.count {
            case 1:
                try await receive(.head(status: 200, headers: ["ETag": "\"v1\"", "Content-Length": "20"]))
                try await receive(.content(Data("AAAAAAAAAA".utf8)))
                throw NetworkFailure(.connectionLost)
            case 2:
                await late.passAnyway()
                do {
                    let response = try await rest("bbbbbbbbbb", receive) {}
                    ends.add("received")
                    return response
                } catch {
                    ends.add("refused")
                    throw error
                }
            default: return try await rest("0123456789", receive) { try await self.middle.wait() }
            }
        }

        private func rest(
            _ text: String,
            _ receive: Receive,
            pause: () async throws -> Void
        ) async throws -> TransportResponse {
            let headers: HTTPHeaders = ["Content-Range": "bytes 10-19/20", "ETag": "\"v1\""]
            try await receive(.head(status: 206, headers: headers))
            try await receive(.content(Data(text.prefix(5).utf8)))
            try await pause()
            try await receive(.content(Data(text.suffix(5).utf8)))
            return TransportResponse(httpStatus: 206, headers: headers)
        }
    }

    @Test
    func aTransferThatComesAfterItsTimeoutWritesNothing() async throws {
        let server = Server()
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.retryPolicy = RetryPolicy(attempts: 5, backoff: .constant(0))
        }
        let download = Task { [file] in try await client.download(for: SimpleNetworking.get("/f").timeout(1), to: file)
        }
        try await eventually { server.ranges.elements.count == 2 }
        try await clock.advance(to: .timeout)
        // That of the third attempt, which waits for the file: the second one has ended.
        await clock.alarms(1, for: .timeout)
        server.late.open()
        try await eventually { server.ends.elements.count == 1 }
        #expect(server.ends.elements == ["refused"])
        try await eventually { server.ranges.elements.count == 3 }
        server.middle.open()
        _ = try await download.value
        #expect(text == "AAAAAAAAAA0123456789")
        #expect(server.ranges.elements == [nil, "bytes=10-", "bytes=10-"])
    }

    @Test
    func theFileStaysTakenUntilATransferThatTimedOutHasReturned() async throws {
        let server = Server()
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.retryPolicy = RetryPolicy(attempts: 5, backoff: .constant(0))
        }
        let download = Task { [file] in try await client.download(for: SimpleNetworking.get("/f").timeout(1), to: file)
        }
        try await eventually { server.ranges.elements.count == 2 }
        try await clock.advance(to: .timeout)
        // The third attempt waits for the file, and no longer than its own timeout.
        try await clock.advance(to: .timeout)
        #expect(server.ranges.elements.count == 2)
        server.late.open()
        server.middle.open()
        _ = try await download.value
        #expect(text == "AAAAAAAAAA0123456789")
    }

    @Test(arguments: [200, 206])
    func aFileThatIsNotAsLongAsWhatWasWrittenIsNoSuccess(status: Int) async throws {
        let partial = file.appendingPathExtension("partial")
        let transport = Meddling(status: status) {
            let other = try FileHandle(forWritingTo: partial)
            try other.seekToEnd()
            try other.write(contentsOf: Data("xxx".utf8))
            try other.close()
        }
        let client = SimpleNetworking(over: transport)
        let request = SimpleNetworking.get("/f")
        if status == 206 { request.header("Range", "bytes=0-4") }
        await #expect(throws: SimpleNetworkingError.self) { try await client.download(for: request, to: file) }
        #expect(text == nil)
        #expect(!FileManager.default.fileExists(atPath: partial.path))
    }

    /// Sends five bytes, and lets another program write to the file.
    private struct Meddling: Transport {
        let status: Int
        let meddle: @Sendable () throws -> Void

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            guard case .stream(let receive) = request.sink else { throw Surprise("no stream") }
            let headers: HTTPHeaders = status == 206 ? ["Content-Range": "bytes 0-4/5"] : ["Content-Length": "5"]
            try await receive(.head(status: status, headers: headers))
            try await receive(.content(Data("01234".utf8)))
            try meddle()
            return TransportResponse(httpStatus: status, headers: headers)
        }
    }
}

extension Gate {
    /// Waits for the gate even when the task is cancelled.
    fileprivate func passAnyway() async {
        await withCheckedContinuation { go in
            Task.detached {
                try? await self.wait()
                go.resume()
            }
        }
    }
}
