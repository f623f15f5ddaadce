import Foundation
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite("Every engine: cancellation and lifetime", .serialized, .timeLimit(.minutes(5)))
struct EngineCancellationTests {
    @Test(arguments: Engine.allCases, [RawServer.Reply.silence, .stalled, .endless])
    func aCancelledRequestEndsAtOnceAndFreesItsConnection(engine: Engine, reply: RawServer.Reply) async throws {
        let server = try RawServer { _ in reply }
        let transport = try engine.transport()
        let task = Task { try await transport.get(server.url()) { $0.maxResponseSize = .max } }
        await server.wait(forRequests: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await withinSeconds(120) { try await task.value } }
        await server.wait { $0.closed == 1 }
    }

    @Test(arguments: Engine.allCases)
    func aTaskThatIsCancelledBeforehandSendsNothing(engine: Engine) async throws {
        let server = try RawServer { .echo($0) }
        let transport = try engine.transport()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await transport.get(server.url())
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.log.opened == 0)
    }

    @Test(arguments: Engine.allCases)
    func aRequestInFlightOutlivesTheLastReferenceToItsTransport(engine: Engine) async throws {
        let latch = RawServer.Latch()
        let server = try RawServer { _ in .response(body: "late").held(by: latch) }
        let task = Task { try await engine.transport().get(server.url()) }
        await server.wait(forRequests: 1)
        latch.open()
        #expect(try await task.value.text == "late")
    }

    @Test(
        arguments: Engine.allCases,
        ["/echo", "/redirect", "/refused", "/closed", "/truncated", "/reset", "/slow"]
    )
    func aStormOfCancellationsEndsEachRequestOnce(engine: Engine, path: String) async throws {
        let server = try RawServer { CancellationStorm.reply(to: $0) }
        let transport = try engine.transport(connectionsPerHost: 32)
        let url = server.url(path)
        let ends = try await withinSeconds(120) {
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        var ends = 0
                        for number in 0..<15 {
                            let isStreamed = number.isMultiple(of: 2)
                            let task = Task.detached {
                                try await transport.get(url) {
                                    guard isStreamed else { return }
                                    $0.sink = .stream { _ in await Task.yield() }
                                    $0.progress = { _ in }
                                }
                            }
                            await spin(microseconds: .random(in: 0...1_500))
                            task.cancel()
                            _ = await task.result
                            ends += 1
                        }
                        return ends
                    }
                }
                return await group.reduce(0, +)
            }
        }
        #expect(ends == 240)
        #expect(try await transport.get(server.url("/echo")).httpStatus == 200)
        guard let session = transport as? URLSessionTransport else { return }
        try await withinSeconds(120) { while session.unfinishedTaskCount > 0 { await Task.yield() } }
    }
}

/// Lets so much time pass without a timer, whose grain is too coarse for races.
private func spin(microseconds: UInt64) async {
    let end = DispatchTime.now().uptimeNanoseconds + microseconds * 1_000
    while DispatchTime.now().uptimeNanoseconds < end { await Task.yield() }
}
