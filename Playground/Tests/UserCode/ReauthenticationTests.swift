import DemoServer
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ReauthenticationTests {
    @Test
    func theSubclassAsPrintedSignsInAndRetries() async {
        let server = Server.secured(by: "X-Authorization")
        let client = MyAPIManager(server)
        let request = client.get("/x") { $0.on(success: { #expect($0.json?["items"] as? [String] == ["a"]) }) }
        #expect(await request.ended().isSuccess)
        #expect(server.log == ["GET /x", "GET /auth", "GET /x"])
        #expect(client.token == "t")
        client.token = nil
        #expect(client.headers["X-Authorization"] == nil)
    }

    @Test
    func theSubclassAsPrintedEndsWhenItsSignInIsAlwaysRejected() async throws {
        let server = try await DemoServer.start()
        let client = MyAPIManager(baseURL: server.baseURL.appendingPathComponent("locked")) { $0.logger = .silent }
        for count in 1...3 {
            let end = await withCheckedContinuation { continuation in
                _ = client.get("/x") { $0.on(completion: { continuation.resume(returning: $0) }) }
            }
            #expect(!end.isSuccess)
            #expect(await server.log.count(of: "GET /locked/auth") <= count * (client.maxRetries + 1))
        }
        await server.stop()
    }

    @Test
    func manyRequestsOfTheSubclassAsPrintedEndWhenTheirSignInIsRejected() async {
        let server = Server.closed()
        let client = MyAPIManager(server)
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                group.addTask { ((try? await client.send(SimpleNetworking.get("/x\(number)"))) != nil) }
            }
            for await succeeded in group { #expect(!succeeded) }
        }
        #expect(server.requests(to: "/auth").count <= 20 * (client.maxRetries + 1))
    }

    @Test
    func aHundredRejectedRequestsSignInOnce() async throws {
        let server = Server.secured(by: "Authorization")
        let client = SingleFlightAPI(server)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<100 {
                group.addTask { try await client.send(SimpleNetworking.get("/x\(number)")).httpStatus }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(server.requests(to: "/auth").count == 1)
        #expect(server.requests.count <= 201)
    }

    @Test
    func severalRetriesOfOneAttemptCountOnce() async {
        let server = Server.closed()
        let client = SimpleNetworking(server)
        let request = SimpleNetworking.get("/x").on(httpStatus: 401) { request, response in
            guard response.attempt == 1 else { return true }
            request.retry()
            request.retry()
            request.retry(on: client)
            return false
        }
        await #expect(throws: SimpleNetworkingError.self) { try await client.send(request) }
        #expect(server.requests.count == 2)
    }
}
