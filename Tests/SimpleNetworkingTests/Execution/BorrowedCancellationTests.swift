import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// A `CancellationError` of a user's code, where nobody cancelled the request.
@Suite(.timeLimit(.minutes(5)))
struct BorrowedCancellationTests {
    enum Hook: CaseIterable, Sendable { case url, prepare, configure, middleware, transport, validate, shouldRetry }

    private final class Throwing: SimpleNetworking, @unchecked Sendable {
        let hook = Locked<Hook?>(nil)

        private func pass(_ hook: Hook) throws {
            if self.hook.withLock({ $0 }) == hook { throw CancellationError() }
        }

        override func url(for request: SimpleRequest) throws -> URL {
            try pass(.url)
            return try super.url(for: request)
        }

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            try pass(.prepare)
        }

        override func validate(_ response: SimpleResponse) throws {
            try pass(.validate)
            if hook.withLock({ $0 }) == .shouldRetry { throw URLError(.badServerResponse) }
        }

        override func shouldRetry(
            _ request: SimpleRequest,
            error: SimpleNetworkingError,
            attempt: Int
        ) async throws -> Bool {
            try pass(.shouldRetry)
            return false
        }
    }

    private struct Cancelled: Transport, Middleware {
        func send(_ request: TransportRequest) async throws -> TransportResponse { throw CancellationError() }

        func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
            throw CancellationError()
        }
    }

    private func client(_ hook: Hook) -> Throwing {
        let server = StubTransport()
        server.on("*", .json("{}"))
        let client = Throwing(host: "api.example.com") {
            ($0.transport, $0.logger) = (server, .quiet)
            if hook == .middleware { $0.middleware = [Cancelled()] }
            if hook == .transport { $0.transport = Cancelled() }
        }
        client.hook.withLock { $0 = hook }
        return client
    }

    private func request(_ hook: Hook) -> SimpleRequest {
        let request = SimpleNetworking.get("/x")
        return hook == .configure ? request.configured { _ in throw CancellationError() } : request
    }

    @Test(arguments: Hook.allCases)
    func aHooksCancellationErrorIsAFailureAndNoCancellation(hook: Hook) async throws {
        let client = client(hook)
        let error = try #require(await request(hook).execute(on: client).ended().error)
        guard case .failed(is CancellationError, _, _) = error else { throw error }
        #expect(!error.isCancellation)
    }

    @Test(arguments: Hook.allCases)
    func anAwaitingCallerGetsTheFailureAndNoCancellationError(hook: Hook) async throws {
        await #expect(throws: SimpleNetworkingError.self) { try await client(hook).send(request(hook)) }
    }

    @Test
    func failingWithACancellationErrorIsAFailure() async throws {
        let server = StubTransport()
        server.on("*", .status(401))
        let client = SimpleNetworking(over: server)
        let request = client.get("/x") {
            $0.on(httpStatus: 401) { request, _ in
                request.fail(CancellationError())
                return false
            }
        }
        let error = try #require(await request.ended().error)
        guard case .failed(is CancellationError, _, let response) = error else { throw error }
        #expect(response?.httpStatus == 401)
    }

    @Test(arguments: [true, false])
    func leavingAStreamIsStillACancellation(whileItWaits: Bool) async throws {
        let server = StubTransport()
        let (sends, leaves) = (Gate(), Gate())
        server.on("*", .pieces("a", .gate(sends), "b"))
        let client = SimpleNetworking(over: server)
        let request = SimpleNetworking.get("/x")
        let ends = Recorder<Bool>()
        request.on(isolation: nil, completion: { ends.add($0.error?.isCancellation == true) })
        let chunks = Recorder<Int>()
        let reader = Task {
            for try await chunk in client.bytes(for: request) {
                chunks.add(chunk.count)
                if !whileItWaits { try await leaves.wait() }
            }
        }
        try await eventually { chunks.elements.count == 1 }
        reader.cancel()
        _ = await reader.result
        try await eventually { ends.elements.count == 1 }
        #expect(ends.elements == [true])
    }
}
