import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// The text of each failure of the test kit, word for word: it has to say what to mend.
@Suite(.timeLimit(.minutes(5)))
struct FailureTextTests {
    private let clock = VirtualClock()

    @Test
    func requestWithoutARuleNamesTheNearestRule() async throws {
        let server = StubTransport()
            .on(.get, "/teams", .json("[]"))
            .on(.post, "/users", where: [.query("dry", "1"), .json(#"{"name": "Ada", "tags": [1]}"#)], .status(201))
        let api = SimpleNetworking(over: server, clock: clock)
        let request = api.post("/users?token=abcdef") { $0.body(json: ["name": "Bob", "tags": [1, 2]]) }
        guard case .failed(let error, _, _)? = await request.ended().error else { throw "a rule matched".asError }
        #expect(
            "\(error)" == """
                no rule matches POST https://api.example.com/users?token=‹secret›; scripted: GET /teams; \
                POST /users query dry=1 JSON {"name":"Ada","tags":[1]}
                  nearest rule: POST /users query dry=1 JSON {"name":"Ada","tags":[1]}
                                 rule     request
                    method       POST     POST
                    path         /users   /users
                    query        dry=1  ≠ no dry
                    JSON name    "Ada"  ≠ "Bob"
                    JSON tags.1  –      ≠ 2
                """
        )
    }

    @Test
    func usedUpRuleIsNamed() async throws {
        let server = StubTransport().on(.get, "/x", .status(204), times: 1)
        let api = SimpleNetworking(over: server, clock: clock)
        await api.get("/x").ended()
        guard case .failed(let error, _, _)? = await api.get("/x").ended().error else { throw "it matched".asError }
        #expect(
            "\(error)" == """
                no rule matches GET https://api.example.com/x; scripted: GET /x (used up)
                  nearest rule: GET /x (used up)
                            rule        request
                    method  GET         GET
                    path    /x          /x
                    uses    at most 1 ≠ one more
                """
        )
    }

    @Test
    func verifyNamesUnusedRulesAndUnmatchedRequests() async throws {
        let server = StubTransport()
            .on(.put, "/users/{id}", where: [.header("If-Match", "\"1\""), .form(["a": "1"])], .status(204))
            .on(.get, "/x", .status(204), times: 3)
        let api = SimpleNetworking(over: server, clock: clock)
        await api.put("/users/7/name") { $0.body(form: ["a": "2"]) }.ended()
        await api.get("/x").ended()
        #expect(
            await failureText { try server.verify() } == """
                the rule PUT /users/{id} header If-Match: "1" form a=1 was never used
                  nearest request: PUT https://api.example.com/users/7/name
                            rule            request
                    method  PUT             PUT
                    path    /users/{id}   ≠ /users/7/name
                    header  If-Match: "1" ≠ no If-Match
                    form    a=1           ≠ a=2
                the rule GET /x was used 1 of 3 times
                no rule matched PUT https://api.example.com/users/7/name
                  nearest rule: PUT /users/{id} header If-Match: "1" form a=1
                            rule            request
                    method  PUT             PUT
                    path    /users/{id}   ≠ /users/7/name
                    header  If-Match: "1" ≠ no If-Match
                    form    a=1           ≠ a=2
                """
        )
    }

    @Test
    func verifyPassesWhenAllRulesAndRequestsMet() async throws {
        let server = StubTransport().on(.get, "/x", .replies(.status(201), .status(202))).on("*", .status(404))
        let api = SimpleNetworking(over: server, clock: clock)
        for _ in 0..<2 { await api.get("/x").ended() }
        try server.verify()
        let unused = StubTransport().on(.get, "/x", .status(204))
        for _ in 1...2 {
            #expect(
                await failureText { try unused.verify() } == """
                    the rule GET /x was never used
                      there was no request at all
                    """
            )
        }
    }

    @Test
    func expectedRequestThatDidNotComeIsComparedWithTheNearest() async throws {
        let server = StubTransport().on("*", .status(204))
        let api = SimpleNetworking(over: server, clock: clock)
        await api.post("/users") { $0.headers(["Authorization": "Bearer abcdef"]).body(json: ["password": "abcdef"]) }
            .ended()
        await api.get("/teams").ended()
        let request = try server.expectRequest(.post, "/users")
        #expect(request.json?["password"] as? String == "abcdef")
        try server.expectRequest("/*", times: 2)
        try server.expectNoRequest(.delete)
        let wanted: [StubCondition] = [
            .header("Authorization", "Bearer 123456"), .json(#"{"password": "123456"}"#),
        ]
        let comparison = await failureText { try server.expectRequest(.put, "/users", where: wanted) }
        #expect(
            comparison == """
                expected a request PUT /users header Authorization: ‹secret› JSON {"password":"‹secret›"}, but 0 came
                  nearest request: POST https://api.example.com/users
                                   expected                  request
                    method         PUT                     ≠ POST
                    path           /users                    /users
                    header         Authorization: ‹secret› ≠ Authorization: ‹secret› (another value)
                    JSON password  ‹secret›                ≠ ‹secret› (another value)
                  all requests:
                    POST https://api.example.com/users
                    GET https://api.example.com/teams
                """
        )
        #expect(
            await failureText { try server.expectRequest(.get, "/teams", times: 2) } == """
                expected 2 requests GET /teams, but 1 came
                  all requests:
                    POST https://api.example.com/users
                    GET https://api.example.com/teams
                """
        )
        #expect(
            await failureText { try server.expectNoRequest(.get) } == """
                expected no request GET *, but 1 came:
                    GET https://api.example.com/teams
                """
        )
    }

    @Test
    func missingFixtureNamesItsNeighbours() async throws {
        let scratch = ScratchFolder()
        let file = scratch.url.appendingPathComponent("user.json")
        let path = scratch.url.path
        #expect(
            await failureText { _ = try StubResponse.fixture(at: file) }
                == "the fixture user.json can't be read; the folder \(path) does not exist"
        )
        try FileManager.default.createDirectory(at: scratch.url, withIntermediateDirectories: true)
        #expect(
            await failureText { _ = try StubResponse.fixture(at: file) }
                == "the fixture user.json can't be read; the folder \(path) is empty"
        )
        for name in ["users.json", "team.json"] { try Data().write(to: scratch.url.appendingPathComponent(name)) }
        #expect(
            await failureText { _ = try StubResponse.fixture(at: file) }
                == "the fixture user.json can't be read; the folder \(path) has: team.json, users.json"
        )
    }

    @Test
    func sequenceThatAClosureReturnsIsRefused() async throws {
        let server = StubTransport().on(.get, "/x") { _ in .replies(.status(201)) }
        guard
            case .failed(let error, _, _)? = await SimpleNetworking(over: server, clock: clock).get("/x").ended().error
        else {
            throw "it was delivered".asError
        }
        #expect(
            "\(error)" == """
                the closure of the rule GET /x returned .replies(…), but only a rule counts its requests: pass \
                .replies(…) to on(…) in place of the closure, or return one response
                """
        )
    }

    @Test
    func alarmThatIsNotSetNamesTheOthers() async throws {
        #expect(
            await failureText { try await clock.advance(to: .retry, within: 0) }
                == "no retry was scheduled within 0.0 s of real time; nothing else is scheduled"
        )
        _ = clock.schedule(after: 60, for: .timeout) {}
        _ = clock.schedule(after: 0.5, for: .refresh) {}
        #expect(
            await failureText { try await clock.advance(to: .retry, within: 0) }
                == "no retry was scheduled within 0.0 s of real time; scheduled: refresh in 0.5 s; timeout in 60 s"
        )
    }

    @Test
    func requestThatDoesNotEndShowsWhatIsPending() async throws {
        let gate = Gate()
        let server = StubTransport().on("/x", .text("late").after(gate))
        let request = SimpleNetworking(over: server, clock: clock).get("/x")
        await gate.arrivals(1)
        #expect(
            await failureText { try await server.expectEnd(of: request, within: 0) } == """
                no completion handler ran within 0.0 s:
                GET /x
                      0 ms  attempt 1: GET https://api.example.com/x
                responses that wait:
                  GET /x waits for a gate
                the clock:
                  timeout in 60 s
                """
        )
        gate.open()
        #expect(try await server.expectEnd(of: request).value?.text == "late")
    }
}
