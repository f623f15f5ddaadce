import DemoClient
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Responses that the real server never sends.
@Suite(.timeLimit(.minutes(1)))
struct MisbehaviourTests {
    private let token = StubResponse.json(#"{"token": "t"}"#)

    @Test
    func itemsComeFromAllPagesWithoutPrefetching() async throws {
        let server = StubTransport().on("/items") { request in
            let number = request.url.query == "page=1&per_page=8" ? 1 : 2
            return .json(#"{"items": [{"id": \#(number), "title": "A"}], "total": 9}"#)
        }
        var asked: [Int] = []
        for try await _ in Demo(server).items() { asked.append(server.log.count) }
        #expect(asked == [1, 2])
    }

    @Test
    func aFreshTokenThatIsRejectedEndsWithTheServersResponse() async throws {
        let server = StubTransport().on("/auth", token)
            .on("/private", .json(#"{"error": "No."}"#, status: 401))
        let demo = Demo(server)
        try await demo.signIn()
        let error = await #expect(throws: SimpleNetworkingError.self) { try await demo.privatePage() }
        #expect(error?.httpStatus == 401 && error?.demoProblem?.error == "No.")
        #expect(server.log == ["POST /auth", "GET /private", "POST /auth", "GET /private"])
    }

    @Test(arguments: [401, 500])
    func aFailedRefreshEndsWithAuthentication(status: Int) async throws {
        let server = StubTransport().on("/auth", token, times: 1).on("/auth", .status(status))
            .on("/private", .status(401))
        let demo = Demo(server)
        try await demo.signIn()
        let error = await #expect(throws: SimpleNetworkingError.self) { try await demo.privatePage() }
        guard case .authentication = error else { Issue.record("\(String(describing: error))"); return }
        #expect(server.log == ["POST /auth", "GET /private", "POST /auth"])
    }

    @Test
    func aRefreshIsNotSignedWithTheRejectedToken() async throws {
        let server = StubTransport().on("/auth", token)
            .on("/private", .status(401), times: 1)
            .on("/private", .json(#"{"secret": "s"}"#))
        let demo = Demo(server)
        try await demo.signIn()
        _ = try await demo.privatePage()
        #expect(server.requests(to: "/auth").map { $0.headers["Authorization"] } == [nil, nil])
    }

    @Test
    func aRejectedSignInSignsNothing() async {
        let server = StubTransport().on("/auth", .status(401))
        let demo = Demo(server)
        await #expect(throws: SimpleNetworkingError.self) { try await demo.signIn() }
        #expect(!demo.isSignedIn && server.log == ["POST /auth"])
    }

    @Test
    func signingOutDuringARefreshStaysSignedOut() async throws {
        let gate = Gate()
        let server = StubTransport().on("/auth", token, times: 1).on("/auth", token.after(gate))
            .on("/expire", .status(204))
            .on("/private", .status(401))
        let demo = Demo(server)
        try await demo.signIn()
        let page = Task { try await demo.privatePage() }
        await gate.arrivals(1)
        try await demo.endSession()
        gate.open()
        let error = await #expect(throws: SimpleNetworkingError.self) { try await page.value }
        guard case .authentication = error else { Issue.record("\(String(describing: error))"); return }
        #expect(!demo.isSignedIn)
        #expect(server.log == ["POST /auth", "GET /private", "POST /auth", "POST /expire"])
    }

    @Test(arguments: ["", "[]", "{}", #"{"id": "1", "name": "Ada"}"#])
    func contentThatIsNoUserEndsWithDecoding(content: String) async {
        let demo = Demo(StubTransport().on("/users/1", .json(content)))
        let error = await #expect(throws: SimpleNetworkingError.self) { try await demo.user(1) }
        guard case .decoding = error else { Issue.record("\(String(describing: error))"); return }
    }

    @Test
    func anEmptyErrorResponseKeepsItsStatus() async {
        let demo = Demo(StubTransport().on("*", .status(500)))
        let error = await #expect(throws: SimpleNetworkingError.self) { try await demo.user(1) }
        #expect(error?.httpStatus == 500 && error?.demoProblem == nil)
    }

    @Test
    func aCancelledCallEndsOnceWithCancelled() async {
        let demo = Demo(StubTransport().on("*", .silence))
        let result = await withCheckedContinuation { done in
            demo.user(1) { done.resume(returning: $0) }.cancel()
        }
        guard case .failure(.cancelled) = result else { Issue.record("\(result)"); return }
    }

    @Test
    @MainActor
    func aCompletionRunsOnTheActorThatWroteIt() async {
        let demo = Demo(StubTransport().on("*", .json(#"{"id": 1, "name": "Ada"}"#)))
        var names: [String] = []
        await withCheckedContinuation { done in
            demo.user(1) { result in
                MainActor.assertIsolated()
                names.append((try? result.get().name) ?? "")
                done.resume()
            }
        }
        #expect(names == ["Ada"])
    }
}
