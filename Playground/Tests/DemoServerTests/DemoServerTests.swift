import DemoServer
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1)))
struct DemoServerTests {
    @Test
    func twoServersRunSideBySide() async throws {
        let first = try await DemoServer.start()
        let second = try await DemoServer.start()
        #expect(first.baseURL != second.baseURL)
        _ = try await get(first, "hello")
        #expect(await first.log.lines == ["GET /hello"])
        #expect(await second.log.lines == [])
        await first.stop()
        #expect(try await get(second, "hello").status == 200)
        await second.stop()
    }

    @Test
    func aStoppedServersPortCanBeTakenAgain() async throws {
        let first = try await DemoServer.start()
        let port = try #require(first.baseURL.port.flatMap(UInt16.init))
        _ = try await get(first, "hello")
        await first.stop()
        await #expect(throws: URLError.self) { try await get(first, "hello") }
        let second = try await DemoServer.start(port: port)
        #expect(second.baseURL == first.baseURL)
        #expect(try await get(second, "hello").status == 200)
        await second.stop()
    }

    @Test
    func aTakenPortIsAnErrorWithAText() async throws {
        let server = try await DemoServer.start()
        let port = try #require(server.baseURL.port.flatMap(UInt16.init))
        let failure = await #expect(throws: StartFailure.self) { _ = try await DemoServer.start(port: port) }
        #expect(failure?.localizedDescription.contains("\(port)") == true)
        await server.stop()
    }

    @Test
    func aSlowResponseDoesNotKeepTheServerRunning() async throws {
        let server = try await DemoServer.start()
        let slow = Task { try await get(server, "slow?seconds=50") }
        await server.log.wait(for: "GET /slow?seconds=50")
        await server.stop()
        _ = await slow.result
    }
}
