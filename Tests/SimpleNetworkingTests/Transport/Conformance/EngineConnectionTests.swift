import Foundation
import Testing

@testable import SimpleNetworkingCore

@Suite("Every engine: connections", .serialized, .timeLimit(.minutes(5)))
struct EngineConnectionTests {
    @Test(arguments: Engine.allCases)
    func connectionsAreUsedAgain(engine: Engine) async throws {
        let server = try RawServer { _ in .response(body: "ok") }
        let transport = try engine.transport()
        for _ in 0..<50 { #expect(try await transport.get(server.url()).text == "ok") }
        #expect(server.log.opened == 1)
    }

    @Test(arguments: Engine.allCases)
    func aConnectionThatTheServerClosedIsReplaced(engine: Engine) async throws {
        let server = try RawServer { _ in .closingQuietly() }
        let transport = try engine.transport()
        for _ in 0..<5 {
            #expect(try await transport.get(server.url()).httpStatus == 200)
            await server.wait { $0.closed == $0.opened }
        }
    }

    @Test(arguments: Engine.allCases)
    func aConnectionThatTheServerClosesOnReuseIsReplaced(engine: Engine) async throws {
        let server = try RawServer { .closedIfReused($0) }
        let transport = try engine.transport()
        for _ in 0..<10 { #expect(try await transport.get(server.url()).text == "fresh") }
        // Once on the old connection, once on the new.
        #expect(server.requests.count == 19)
    }

    @Test(arguments: Engine.allCases, [nil, 3])
    func twoHundredRequestsAtOnce(engine: Engine, connections: Int?) async throws {
        let server = try RawServer { .echo($0) }
        let transport = try engine.transport(connectionsPerHost: connections)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { try await transport.get(server.url()).httpStatus } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 200))
        if let connections { #expect(server.log.opened <= connections) }
    }

    @Test(arguments: Engine.allCases)
    func twoHundredRequestsShareTheTimeOfOne(engine: Engine) async throws {
        let latch = RawServer.Latch()
        let server = try RawServer { .response(body: $0.path).held(by: latch) }
        let transport = try engine.transport(connectionsPerHost: 200)
        let bodies = try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<200 { group.addTask { try await transport.get(server.url("/\(index)")).text } }
            // All of them have arrived before the first response is sent.
            await server.wait(forRequests: 200)
            latch.open()
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(bodies == Set((0..<200).map { "/\($0)" }))
    }
}
