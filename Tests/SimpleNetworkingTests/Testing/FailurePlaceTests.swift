import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// The line that each failure of the kit belongs to.
@Suite(.timeLimit(.minutes(5)))
struct FailurePlaceTests {
    private let server = StubTransport()
    private let clock = VirtualClock()

    /// Returns the line that a failure names, and whether its text begins with it.
    private func line(_ work: () async throws -> Void) async -> UInt? {
        do {
            try await work()
            return nil
        } catch {
            guard let place = (error as? any PlacedFailure)?.place else { return nil }
            #expect("\(error)".hasPrefix("FailurePlaceTests.swift:\(place.line): "))
            #expect("\(place.filePath)" == #filePath)
            return place.line
        }
    }

    @Test
    func checksOfAStubNameTheirLine() async {
        #expect(await line { try server.expectRequest(.get, "/x") } == #line)
        #expect(await line { try server.expectRequest("/x") } == #line)
        _ = try? await server.send(TransportRequest(head: RequestHead(method: .get, url: URL(fileURLWithPath: "/x"))))
        #expect(await line { try server.expectNoRequest(.get, "/x") } == #line)
        #expect(await line { try server.expectNoRequest("/x") } == #line)
        #expect(await line { try server.verify() } == #line)
    }

    @Test
    func checksOfTimeAndOrderNameTheirLine() async {
        #expect(await line { try await clock.advance(to: .retry, within: 0) } == #line)
        let gate = Gate()
        server.on("/x", .status(204).after(gate))
        let api = SimpleNetworking(over: server)
        let request = api.get("/x")
        #expect(await line { try await server.expectEnd(of: request, within: 0) } == #line)
        gate.open()
        await request.ended()
        #expect(await line { try expectOrder(of: request, [.error]) } == #line)
        #expect(await line { try expectOrder(of: request.trace, [.error]) } == #line)
    }

    @Test
    func cassetteNamesTheLineOfItsCheck() async throws {
        let folder = ScratchFolder()
        let file = folder.url.appendingPathComponent("users.json")
        server.on("*", .status(204))
        for mode in [Cassette.Mode.record, .replay] {
            let cassette = Cassette(file, mode: mode)
            let api = SimpleNetworking(over: server) { $0.middleware = [cassette] }
            if mode == .record { await api.get("/x").ended() }
            #expect(await line { try cassette.verify() } == (mode == .record ? nil : #line))
        }
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func simulationNamesItsLine() async {
        #expect(await line { try await simulate(seeds: [1]) { $0.expect(false, "a fault") } } == #line)
    }

    @Test
    func helperPassesTheLineOfItsCallerOn() async {
        func expectUser(line: UInt = #line) throws { try server.expectRequest(.get, "/user", line: line) }
        #expect(await line { try expectUser() } == #line)
    }
}
