import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite("Every engine: streams that are ended from here", .serialized, .timeLimit(.minutes(5)))
struct EngineStreamEndTests {
    @Test(arguments: Engine.allCases, [0, 1])
    func errorThrownByAStreamEndsTheTransfer(engine: Engine, part: Int) async throws {
        let server = try server(for: engine)
        let stream = StreamRecorder { if $0 == part { throw POSIXError(.EPIPE) } }
        let transport = try engine.transport()
        let error = await #expect(throws: POSIXError.self) {
            try await withinSeconds(120) { try await transport.get(server.url()) { $0.sink = stream.sink } }
        }
        #expect(error?.code == .EPIPE)
        #expect(stream.heard.count == part + 1)
        try await expectEnd(of: transport, engine, server)
    }

    @Test(arguments: Engine.allCases, [0, 1])
    func cancellingReachesAStreamThatWaits(engine: Engine, part: Int) async throws {
        let server = try server(for: engine)
        let gate = Gate()
        let stream = StreamRecorder { if $0 == part { try await gate.wait() } }
        let transport = try engine.transport()
        let task = Task { try await transport.get(server.url()) { $0.sink = stream.sink } }
        await gate.arrivals(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await withinSeconds(120) { try await task.value } }
        #expect(stream.heard.count == part + 1)
        try await expectEnd(of: transport, engine, server)
    }

    @Test(arguments: Engine.allCases, [0, 1])
    func cancellingEndsTheTransferWhileAStreamIsStillWaiting(engine: Engine, part: Int) async throws {
        let server = try server(for: engine)
        let gate = Gate()
        let stream = StreamRecorder { number in
            // A task of its own, so that nothing cancels it.
            if number == part { await Task.detached { try? await gate.wait() }.value }
        }
        let transport = try engine.transport()
        let task = Task { try await transport.get(server.url()) { $0.sink = stream.sink } }
        await gate.arrivals(1)
        task.cancel()
        try await expectEnd(of: transport, engine, server)
        gate.open()
        await #expect(throws: CancellationError.self) { try await withinSeconds(120) { try await task.value } }
        #expect(stream.heard.count == part + 1)
    }

    @Test(arguments: Engine.allCases)
    func aWaitingStreamKeepsNoOtherWaiting(engine: Engine) async throws {
        let server = try server(for: engine)
        let gate = Gate()
        let stream = StreamRecorder { _ in try await gate.wait() }
        let transport = try engine.transport()
        let task = Task { try await transport.get(server.url()) { $0.sink = stream.sink } }
        await gate.arrivals(1)
        #expect(try await withinSeconds(120) { try await transport.get(server.url("/other")).text } == "other")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await withinSeconds(120) { try await task.value } }
    }

    /// A server that sends without end; a client that takes the content piece by piece can stop it.
    private func server(for engine: Engine) throws -> RawServer {
        let isEndless = !engine.lacks(.pieces)
        return try RawServer { request in
            request.path == "/other" ? .response(body: "other") : isEndless ? .endless : .response(body: "all of it")
        }
    }

    private func expectEnd(of transport: any Transport, _ engine: Engine, _ server: RawServer) async throws {
        if !engine.lacks(.pieces) { await server.wait { $0.closed == 1 } }
        guard let session = transport as? URLSessionTransport else { return }
        try await eventually { session.unfinishedTaskCount == 0 }
    }
}
