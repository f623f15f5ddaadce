import ClientTestSupport
import DemoClient
import DemoServer
import SimpleNetworking
import Testing

/// Responses of a real server, with both engines.
@Suite(.timeLimit(.minutes(1)))
struct ServerTests {
    @Test(arguments: Engine.allCases)
    func aUserIsFetchedByHandlersAndAwait(engine: Engine) async throws {
        try await withServer(engine) { _, demo in
            let awaited = try await demo.user(1)
            let completed = await withCheckedContinuation { done in demo.user(1) { done.resume(returning: $0) } }
            #expect(awaited.name == "Ada Lovelace")
            #expect(try completed.get() == awaited)
        }
    }

    @Test(arguments: Engine.allCases)
    func allUsersAreFetched(engine: Engine) async throws {
        try await withServer(engine) { _, demo in
            let users = try await demo.users()
            #expect(users.map(\.id) == [1, 2, 3])
        }
    }

    @Test(arguments: Engine.allCases)
    func allItemsAreASequence(engine: Engine) async throws {
        try await withServer(engine) { server, demo in
            var titles: [String] = []
            for try await item in demo.items() { titles.append(item.title) }
            #expect(titles == (1...20).map { "Item \($0)" })
            #expect(await server.log.lines.count == 3)
        }
    }

    @Test(arguments: Engine.allCases)
    func aMissingUserIsAnErrorWithTheServersText(engine: Engine) async throws {
        try await withServer(engine) { _, demo in
            let error = await #expect(throws: SimpleNetworkingError.self) { try await demo.user(9) }
            #expect(error?.httpStatus == 404)
            #expect(error?.demoProblem?.error == "There is no user 9.")
        }
    }

    @Test(arguments: Engine.allCases)
    func aRequestWithoutASignInIsRejected(engine: Engine) async throws {
        try await withServer(engine) { server, demo in
            let result = await withCheckedContinuation { done in demo.privatePage { done.resume(returning: $0) } }
            guard case .failure(let error) = result else { Issue.record("\(result)"); return }
            #expect(error.httpStatus == 401)
            #expect(error.demoProblem?.error == "The token is missing or has expired.")
            #expect(await server.log.lines == ["GET /private"])
        }
    }

    @Test(arguments: Engine.allCases)
    func aSignedInUserGetsThePrivatePageByHandlersAndAwait(engine: Engine) async throws {
        try await withServer(engine) { _, demo in
            try await demo.signIn()
            let page = try await demo.privatePage()
            #expect(page.secret == "The cake is real.")
            let result = await withCheckedContinuation { done in demo.privatePage { done.resume(returning: $0) } }
            #expect(try result.get() == page)
        }
    }

    @Test(arguments: Engine.allCases)
    func anExpiredTokenIsRefreshedAndTheRequestSentAgain(engine: Engine) async throws {
        try await withServer(engine) { server, demo in
            try await demo.signIn()
            try await demo.send(.post("/expire"))
            #expect(try await demo.privatePage().secret == "The cake is real.")
            let asked = ["POST /auth", "POST /expire", "GET /private", "POST /auth", "GET /private"]
            #expect(await server.log.lines == asked)
        }
    }

    @Test(arguments: Engine.allCases)
    func requestsRejectedAtOnceShareOneRefresh(engine: Engine) async throws {
        try await withServer(engine) { server, demo in
            try await demo.signIn()
            try await demo.send(.post("/expire"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await demo.privatePage() } }
                try await group.waitForAll()
            }
            #expect(await server.log.count(of: "POST /auth") == 2)
        }
    }

    @Test(arguments: Engine.allCases)
    func aRequestAfterSigningOutIsRejected(engine: Engine) async throws {
        try await withServer(engine) { server, demo in
            try await demo.signIn()
            try await demo.endSession()
            #expect(!demo.isSignedIn)
            await #expect(throws: SimpleNetworkingError.self) { try await demo.privatePage() }
            #expect(await server.log.headers(of: "GET /private")?["authorization"] == nil)
            #expect(await server.log.lines == ["POST /auth", "POST /expire", "GET /private"])
        }
    }
}
