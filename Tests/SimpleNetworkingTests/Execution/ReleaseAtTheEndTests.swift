import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// More of a user's objects that are released outside all locks: at the end, from a long trace, by a clock, by a cache.
@Suite(.timeLimit(.minutes(5)))
struct ReleaseAtTheEndTests {
    /// Keeps no request, unlike `StubTransport`.
    private struct Server: Transport {
        let respond: @Sendable (TransportRequest) throws -> TransportResponse

        func send(_ request: TransportRequest) async throws -> TransportResponse { try respond(request) }
    }

    /// A value that is released with the handlers of its request.
    private final class Value: Decodable, Sendable {
        static let probe = Locked<(@Sendable () -> ReleaseProbe)?>(nil)
        let probe = Value.probe.withLock { $0 }?()
        init(from decoder: any Decoder) throws {}
    }

    private let results = Recorder<String>()

    @Test
    func theValueThatASuccessHandlerGot() async throws {
        let client = SimpleNetworking(over: Server { _ in TransportResponse(httpStatus: 200, data: Data("{}".utf8)) })
        let request = SimpleNetworking.get("/x")
        Value.probe.withLock { $0 = { [results] in ReleaseProbe(results) { [weak request] in _ = request?.attempt } } }
        request.on(success: Value.self) { _ in }.execute(on: client)
        await request.ended()
        try await eventually { results.elements.count == 1 }
        #expect(results.elements == ["read"])
    }

    @Test
    func anErrorThatALongTraceHasNoRoomFor() async throws {
        let request = SimpleNetworking.get("/x")
        let count = Locked(0)
        let client = Persistent(host: "api.example.com") {
            $0.transport = Server { [results] _ in
                // About the 540th event.
                guard count.next() == 180 else { throw Surprise("again") }
                throw ReleaseProbe(results) { [weak request] in _ = request?.attempt }
            }
            $0.logger = .quiet
            $0.maxRetries = 400
        }
        await request.execute(on: client).ended()
        try await eventually { results.elements.count == 1 }
        #expect(results.elements == ["read"])
    }

    @Test
    func theWorkOfACancelledAlarm() {
        let clock = VirtualClock()
        let cancel = schedule(on: clock)
        cancel()
        #expect(results.elements == ["read"])
    }

    private func schedule(on clock: VirtualClock) -> @Sendable () -> Void {
        let probe = ReleaseProbe(results) { _ = clock.now }
        return clock.schedule(after: 5, for: .other) { withExtendedLifetime(probe) {} }
    }

    @Test
    func theContentOfAResponseThatACacheEvicts() async throws {
        let cache = ResponseCache()
        let client = SimpleNetworking(host: "api.example.com") {
            $0.cache = cache
            $0.transport = Server { [results] _ in
                let probe = ReleaseProbe(results) { _ = cache.change }
                let memory = UnsafeMutableRawPointer.allocate(byteCount: 1_000, alignment: 8)
                memory.initializeMemory(as: UInt8.self, repeating: 32, count: 1_000)
                let content = Data(
                    bytesNoCopy: memory,
                    count: 1_000,
                    deallocator: .custom { memory, _ in
                        memory.deallocate()
                        withExtendedLifetime(probe) {}
                    }
                )
                return TransportResponse(httpStatus: 200, headers: ["Cache-Control": "max-age=60"], data: content)
            }
        }
        _ = try await client.send(SimpleNetworking.get("/x"))
        await cache.removeAll()
        try await eventually { results.elements.count == 1 }
        #expect(results.elements == ["read"])
    }
}
