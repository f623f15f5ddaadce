import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite(.timeLimit(.minutes(5)))
struct ReplaceSessionTests {
    private func settings(_ user: String) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-User": user]
        return configuration
    }

    private func client(_ server: RawServer, usesURLSession: Bool) -> SimpleNetworking {
        SimpleNetworking(baseURL: server.url("")) {
            $0.sessionConfiguration = settings("old")
            if usesURLSession { $0.sessionDelegate = RecordingDelegate() }
        }
    }

    @Test(arguments: [false, true])
    func whatIsInFlightFinishesOnTheOldSessionAndNewRequestsUseTheNewOne(usesURLSession: Bool) async throws {
        let latch = RawServer.Latch()
        let server = try RawServer { request in
            var reply = RawServer.Reply.response(body: request[header: "X-User"] ?? "none")
            if request.path == "/held" { reply.steps.insert(.hold(latch), at: 0) }
            return reply
        }
        let client = client(server, usesURLSession: usesURLSession)
        let held = client.get("/held")
        try await eventually { server.requests.count == 1 }
        client.replaceSession(configuration: settings("new"))
        #expect(await client.get("/x").ended().value?.text == "new")
        latch.open()
        #expect(await held.ended().value?.text == "old")
    }

    @Test(arguments: [false, true])
    func eachOfManyRequestsGoesOverOneSessionOrTheOther(usesURLSession: Bool) async throws {
        let server = try RawServer { .response(body: $0[header: "X-User"] ?? "none") }
        let client = client(server, usesURLSession: usesURLSession)
        let texts = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<100 {
                group.addTask { try await client.send(SimpleNetworking.get("/x")).text }
                if number % 10 == 5 {
                    group.addTask {
                        client.replaceSession(configuration: settings("new"))
                        return nil
                    }
                }
            }
            return try await group.reduce(into: [String?]()) { $0.append($1) }.compactMap { $0 }
        }
        #expect(texts.count == 100)
        #expect(Set(texts).isSubset(of: ["old", "new"]))
        #expect(await client.get("/x").ended().value?.text == "new")
    }

    @Test
    func aCallersSessionIsLeftAlone() async throws {
        let server = try RawServer { .response(body: $0[header: "X-User"] ?? "none") }
        let session = URLSession(configuration: settings("old"))
        let client = SimpleNetworking(baseURL: server.url(""), session: session)
        #expect(await client.get("/x").ended().value?.text == "old")
        client.replaceSession(configuration: settings("new"))
        #expect(await client.get("/x").ended().value?.text == "new")
        let other = SimpleNetworking(baseURL: server.url(""), session: session)
        #expect(await other.get("/x").ended().value?.text == "old")
        session.invalidateAndCancel()
    }

    @Test
    func theLimitOfTheNewSettingsHolds() {
        let client = SimpleNetworking(over: StubTransport())
        let settings = URLSessionConfiguration.ephemeral
        settings.timeoutIntervalForResource = 7
        client.replaceSession(configuration: settings)
        #expect(client.configuration.timeout == 7)
    }
}
