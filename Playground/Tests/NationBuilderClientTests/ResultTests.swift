import ClientTestSupport
import DemoServer
import Foundation
import NationBuilderClient
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// NB-30 to NB-42: statuses, results and errors.
@Suite(.timeLimit(.minutes(1)))
struct ResultTests {
    private func call<Value>(_ endpoint: NationEndpoint<Value>, _ response: StubResponse) async throws -> Value? {
        try await NationBuilder(StubTransport().on("*", response)).call(endpoint).value
    }

    private func error(_ response: StubResponse) async -> SimpleNetworkingError? {
        await #expect(throws: SimpleNetworkingError.self) { try await call(.person(5), response) }
    }

    // NB-30, NB-31
    @Test(arguments: [200, 201, 206, 250, 299])
    func all2xxStatusesReturnResults(status: Int) async throws {
        let response = StubResponse.json(#"{"person": {"id": 5}}"#, status: status)
        #expect(try await call(.person(5), response)?.id == 5)
    }

    // NB-30, NB-31
    @Test(arguments: [300, 303, 304, 400, 404, 500])
    func allOtherStatusesAreErrors(status: Int) async {
        #expect(await error(.json("{}", status: status))?.nation?.httpStatus == status)
    }

    // NB-31
    @Test(arguments: [204, 205])
    func aResponseWithoutContentHasNoValueAndIsNoError(status: Int) async throws {
        #expect(try await call(.person(5), .status(status)) == nil)
    }

    // NB-32
    @Test(arguments: ["", "<html>", "{"])
    func contentThatIsNoJSONIsAnError(content: String) async {
        guard case .decoding? = await error(.text(content)) else { Issue.record("another error"); return }
    }

    // NB-32
    @Test(arguments: ["[1]", #""text""#, "7", "null"])
    func contentThatIsNoObjectIsAnErrorAndNoCrash(content: String) async {
        #expect(await error(.text(content))?.nation?.failureReason == "There is no “person” in it.")
    }

    // NB-33, NB-34
    @Test
    func aValueIsAListAnObjectANumberOrNothing() async throws {
        #expect(try await call(.people(), .json(#"{"results": [{"id": 1}, {"id": 2}]}"#))?.map(\.id) == [1, 2])
        #expect(try await call(.person(1), .json(#"{"person": {"first_name": "Abe"}}"#))?.firstName == "Abe")
        #expect(try await call(.peopleCount(), .json(#"{"people_count": 7}"#)) == 7)
        _ = try await call(.register(1), .json(#"{"status": "sent"}"#))
    }

    // NB-35
    @Test
    func aFailingListEndsOnce() async {
        let result = await value { done in
            NationBuilder(StubTransport().on("*", .status(500))).call(.people()) { done($0) }
        }
        #expect(throws: SimpleNetworkingError.self) { try result.get() }
    }

    // NB-36
    @Test(arguments: [
        (NationError.Code.invalidArgument, 1), (.service, 10), (.authentication, 20), (.missingScheme, 21),
        (.missingBrowser, 22), (.store, 23), (.stopped, 24),
    ])
    func eachErrorHasItsNumber(code: NationError.Code, number: Int) {
        #expect(code.rawValue == number && NationError.domain == "com.nationbuilder")
    }

    // NB-37
    @Test
    func theServicesReasonIsInTheError() async throws {
        let content = """
            {"code": "validation_failed", "message": "No.", "validation_errors": ["a", "b"], "inner_error": {"n": "x"}}
            """
        let error = try #require(await error(.json(content, status: 400))?.nation)
        #expect(error.description == "The service responded with status 400 and the error “validation_failed”.")
        #expect(error.failureReason == "No." && error.recoverySuggestion?.isEmpty == false)
        #expect(error.validationErrors == ["a", "b"] && error.innerError == ["n": "x"])
        let bridged = error as NSError
        #expect(bridged.domain == "com.nationbuilder" && bridged.code == 10)
        #expect(bridged.userInfo["code"] as? String == "validation_failed")
        #expect(bridged.userInfo["NBClientErrorHTTPStatusCode"] as? Int == 400)
        #expect(bridged.userInfo["message"] as? String == "No.")
    }

    // NB-37
    @Test
    func missingReasonsHaveDefaults() async throws {
        let error = try #require(await error(.status(503))?.nation)
        #expect(error.description.contains("503") && error.description.contains("unknown"))
        #expect(error.serviceCode == "" && error.message == "" && error.validationErrors == [])
        #expect(error.innerError == [:] && error.failureReason == "The reason is unknown.")
        let named = try #require(await self.error(.json(#"{"code": "busy"}"#))?.nation)
        #expect(named.description == "The service reported the error “busy”." && named.httpStatus == 200)
    }

    // NB-38
    @Test
    func missingResultsAreNamed() async throws {
        let error = try #require(await error(.json(#"{"other": 1}"#))?.nation)
        #expect(error.code == .service && error.description == "The response data is invalid.")
        #expect(error.failureReason == "There is no “person” in it.")
    }

    // NB-39
    @Test(arguments: [#"{"code": "busy"}"#, #"{"code": "busy", "person": {"id": 5}}"#])
    func theServicesErrorWinsOverResults(content: String) async {
        #expect(await error(.json(content))?.nation?.serviceCode == "busy")
    }

    // NB-40
    @Test
    func aTransportErrorIsPassedOn() async {
        let failure = await error(.failure(NetworkFailure(.connectionLost)))
        guard case .networkingError(let reason, _)? = failure else { Issue.record("another error"); return }
        #expect(reason.kind == .connectionLost && failure?.nation == nil)
    }

    // NB-30 to NB-39, over a socket.
    @Test(
        arguments: Engine.allCases,
        [
            ("empty", ""), ("html", ""), ("code", "The service reported the error “server_busy”."),
            ("keyless", "The response data is invalid."), ("list", "The response data is invalid."),
            ("other", "The service responded with status 404 and the error “not_found”."),
        ]
    )
    func badResponsesAreErrors(engine: Engine, response: (kind: String, text: String)) async throws {
        try await withNation { _, url in
            let nation = NationBuilder(slug: "abe", apiKey: "demo-key", baseURL: url, configure: engine.select)
            let endpoint = NationEndpoint<Person>.fetch("/broken/\(response.kind)", at: "person")
            let error = await #expect(throws: SimpleNetworkingError.self) { try await nation.call(endpoint) }
            #expect(error?.nation?.description ?? "" == response.text)
        }
    }

    // NB-42
    @Test(arguments: Engine.allCases)
    func theRateLimitCanBeRead(engine: Engine) async throws {
        try await withNation { _, url in
            let nation = NationBuilder(slug: "abe", apiKey: "demo-key", baseURL: url, configure: engine.select)
            let headers = try await nation.call(.peopleCount()).response.headers
            #expect(headers["X-Ratelimit-Remaining"] == "99" && headers["Nation-Ratelimit-Limit"] == "10000")
        }
    }
}
