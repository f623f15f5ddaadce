import DemoServer
import SimpleNetworking
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests to a real server, with the client's own engine and with a session of the user's.
@Suite(.timeLimit(.minutes(1)))
struct RealServerTests {
    enum Engine: CaseIterable, Sendable {
        case own, usersSession

        nonisolated func client(of server: DemoServer) -> SimpleNetworking {
            switch self {
            case .own: SimpleNetworking(baseURL: server.baseURL)
            case .usersSession:
                SimpleNetworking(baseURL: server.baseURL, session: URLSession(configuration: .ephemeral))
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func aBasicChallengeReachesItsHandlerWithItsContent(engine: Engine) async throws {
        let server = try await DemoServer.start()
        var refusals: [String] = []
        let request = engine.client(of: server).get("/private/basic") {
            $0.on(httpStatus: 401) { _, response in
                refusals.append(response.text ?? "")
                return true
            }
        }
        #expect(await request.ended().failure?.httpStatus == 401)
        #expect(refusals == [#"{"error":"Wrong user name or password."}"#])
        await server.stop()
    }

    @Test(arguments: Engine.allCases)
    func basicCredentialsAreAccepted(engine: Engine) async throws {
        let server = try await DemoServer.start()
        let client = engine.client(of: server)
        let once = client.get("/private/basic") { $0.authenticateBasic(user: "ada", password: "lovelace") }
        #expect(await once.ended().isSuccess)
        client.authenticate(with: "ada", password: "lovelace")
        #expect(await client.get("/private/basic").ended().isSuccess)
        await server.stop()
    }

    @Test(arguments: Engine.allCases)
    func aRedirectedPostArrivesWithItsContent(engine: Engine) async throws {
        let server = try await DemoServer.start()
        let response = try await engine.client(of: server).send(SimpleNetworking.post("/moved").body(text: "some text"))
        #expect(response.json?["method"] as? String == "POST")
        #expect(response.json?["body"] as? String == "some text")
        #expect(await server.log.lines == ["POST /moved", "POST /echo"])
        await server.stop()
    }

    @Test(arguments: Engine.allCases)
    func aHundredRequestsAtOnceEndOnceEach(engine: Engine) async throws {
        let server = try await DemoServer.start()
        let client = engine.client(of: server)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<100 {
                group.addTask { try await client.send(SimpleNetworking.get("/items/\(number % 20 + 1)")).httpStatus }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(await server.log.lines.count == 100)
        await server.stop()
    }

    @Test(arguments: Engine.allCases)
    func cancellingWhileTheServerWorksEndsAtOnce(engine: Engine) async throws {
        let server = try await DemoServer.start()
        let request = engine.client(of: server).get("/slow?seconds=50")
        await server.log.wait(for: "GET /slow?seconds=50")
        request.cancel()
        #expect(await request.ended().failure?.isCancellation == true)
        await server.stop()
    }
}
