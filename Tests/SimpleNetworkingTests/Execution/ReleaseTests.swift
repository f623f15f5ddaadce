import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

/// Where a user's objects are released: never under a lock, since a `deinit` may use the request.
@Suite(.timeLimit(.minutes(5)))
struct ReleaseTests {
    /// Keeps no request, unlike `StubTransport`.
    private struct Server: Transport {
        let respond: @Sendable (TransportRequest) throws -> TransportResponse

        func send(_ request: TransportRequest) async throws -> TransportResponse { try respond(request) }
    }

    private let results = Recorder<String>()

    private typealias Respond = @Sendable (TransportRequest) throws -> TransportResponse

    /// Responds with the statuses in turn; the last one stays.
    private func statuses(_ statuses: Int...) -> Respond {
        let left = Locked(statuses)
        return { _ in
            let status = left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return TransportResponse(httpStatus: status, data: Data("{}".utf8))
        }
    }

    @Test
    func aReplacedBody() {
        let request = SimpleNetworking.post("/x")
        do {
            let probe = ReleaseProbe(results) { [weak request] in _ = request?.path }
            request.body(streamOfLength: 1, contentType: .octetStream) { withExtendedLifetime(probe) { nil } }
        }
        request.body(text: "other")
        #expect(results.elements == ["read"])
    }

    private final class Validating: SimpleNetworking, @unchecked Sendable {
        let error = Locked<(@Sendable () -> any Error)?>(nil)

        override func validate(_ response: SimpleResponse) throws {
            if let error = error.withLock({ $0 }), response.httpStatus == 401 { throw error() }
        }
    }

    @Test(
        arguments: [
            { $0.retry() },
            { $0.succeed(with: SimpleResponse(request: RequestHead(method: .get, url: URL(fileURLWithPath: "/")))) },
        ] as [@Sendable (SimpleRequest) -> Void]
    )
    func theErrorOfAnEarlierResult(call: @Sendable (SimpleRequest) -> Void) async throws {
        let respond = statuses(401, 200)
        let client = Validating(over: Server(respond: respond))
        let request = SimpleNetworking.get("/x")
        let kept = Locked<SimpleRequest?>(nil)
        client.error.withLock { $0 = { [results] in ReleaseProbe(results) { [weak request] in _ = request?.path } } }
        request.on(httpStatus: 401) { request, _ in
            kept.withLock { $0 = request }
            return false
        }
        .on(success: [String: String].self) { _ in }
        .execute(on: client)
        try await eventually { request.isTakenOver }
        kept.withLock { $0.take() }.map(call)
        await request.ended()
        try await eventually { results.elements.count == 1 }
        #expect(results.elements == ["read"])
    }

    private final class Problem: Decodable, Sendable {
        static let probe = Locked<(@Sendable () -> ReleaseProbe)?>(nil)
        let probe = Problem.probe.withLock { $0 }?()
        init(from decoder: any Decoder) throws {}
    }

    @Test
    func theValueOfAnEarlierResult() async throws {
        let client = SimpleNetworking(over: Server(respond: statuses(422, 200)))
        let request = SimpleNetworking.get("/x")
        let kept = Locked<SimpleRequest?>(nil)
        Problem.probe.withLock { $0 = { [results] in ReleaseProbe(results) { [weak request] in _ = request?.path } } }
        request.on(httpStatus: 422, decoding: Problem.self) { _, request, _ in
            kept.withLock { $0 = request }
            return false
        }
        .execute(on: client)
        try await eventually { request.isTakenOver }
        kept.withLock { $0.take() }?.retry()
        await request.ended()
        try await eventually { results.elements.count == 1 }
        #expect(results.elements == ["read"])
    }

    private final class Counted: SimpleNetworking, @unchecked Sendable {
        let probe: ReleaseProbe

        init(_ probe: ReleaseProbe, _ transport: any Transport) {
            self.probe = probe
            super.init(baseURL: URL(fileURLWithPath: "/")) { $0.transport = transport }
        }
    }

    @Test
    func theClientOfAQueuedExecution() async throws {
        let first = SimpleNetworking(over: Server(respond: statuses(200)))
        let server = Server(respond: statuses(200))
        let isFirst = Locked(true)
        let request = SimpleNetworking.get("/x")
        request.on(completion: { [weak request, results] _ in
            guard isFirst.withLock({ $0.take() }), let request else { return }
            request.execute(on: Counted(ReleaseProbe(results) { [weak request] in _ = request?.attempt }, server))
            request.execute(on: first)
        })
        request.execute(on: first)
        try await eventually { results.elements.count == 1 }
        #expect(results.elements == ["read"])
    }

    @Test
    func theErrorOfAFailedRefresh() async throws {
        let server = Server { TransportResponse(httpStatus: $0.url.path == "/x" ? 401 : 200) }
        let client = SimpleNetworking(over: server)
        let second = SimpleNetworking.get("/y")
        let ends = Recorder<Int>()
        client.get("/x") {
            $0.on(httpStatus: 401) { [results] request, _ in
                client.reauthenticate(request) { done in done(ReleaseProbe(results) { _ = second.path }) }
                return false
            }
            .on(completion: { _ in ends.add(1) })
        }
        try await eventually { ends.elements.count == 1 }
        await second.execute(on: client).ended()
        try await eventually { results.elements.count == 1 }
        #expect(results.elements == ["read"])
    }

    @Test
    func theOutcomeOfAnEarlierCopy() async throws {
        let isFirst = Locked(true)
        let request = SimpleNetworking.get("/x")
        let server = Server { [results] _ in
            if isFirst.withLock({ $0.take() }) { throw ReleaseProbe(results) { [weak request] in _ = request?.path } }
            return TransportResponse(httpStatus: 200)
        }
        let client = SimpleNetworking(over: server)
        await #expect(throws: SimpleNetworkingError.self) { try await client.send(request) }
        _ = try await client.send(request)
        try await eventually { results.elements.count == 1 }
        #expect(results.elements == ["read"])
    }
}
