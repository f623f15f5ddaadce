import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Conditions for a part of a request, and counts.
@Suite(.timeLimit(.minutes(5)))
struct StubConditionTests {
    private let server = StubTransport()
    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server)
    }

    private func meets(_ condition: StubCondition, _ request: SimpleRequest) async -> Bool {
        server.on(.post, "/x", where: [condition], .status(204))
        return await request.execute(on: client).ended().value?.httpStatus == 204
    }

    @Test(arguments: [
        (#"{"name": "Ada"}"#, #"{"name": "Ada", "age": 36}"#, true),
        (#"{"name": "Ada"}"#, #"{"name": "Bob", "age": 36}"#, false),
        (#"{"name": "Ada"}"#, #"{"age": 36}"#, false),
        (#"{"a": {"b": 1}}"#, #"{"a": {"b": 1, "c": 2}, "d": 3}"#, true),
        (#"{"a": [{"b": 1}]}"#, #"{"a": [{"b": 1, "c": 2}]}"#, true),
        (#"{"a": [{"b": 1}]}"#, #"{"a": [{"b": 1}, {"b": 2}]}"#, false),
        (#"{"a": null}"#, #"{}"#, false),
        ("{}", "not JSON", false),
    ])
    func partOfJSONIsEnough(part: String, body: String, isMet: Bool) async {
        let request = SimpleNetworking.post("/x").body(data: Data(body.utf8), contentType: .json)
        #expect(await meets(.json(containing: part), request) == isMet)
    }

    @Test(arguments: [
        (StubCondition.query("page"), true), (.query("size"), false), (.header("X-Trace"), true),
        (.header("X-No"), false),
        (.query("page", matching: "^[0-9]+$"), true), (.query("page", matching: "^[a-z]+$"), false),
        (.query("size", matching: ""), false), (.header("X-Trace", matching: "^ab.*yz$"), true),
        (.header("X-Trace", matching: "^b"), false), (.header("X-No", matching: ""), false),
        (.text(matching: "gr[ae]y"), true), (.text(matching: "^gray"), false), (.text(matching: "("), false),
    ])
    func partOfARequestIsEnough(condition: StubCondition, isMet: Bool) async {
        let request = SimpleNetworking.post("/x?page=12").header("X-Trace", "ab-yz").body(text: "a gray cat")
        #expect(await meets(condition, request) == isMet)
    }

    @Test
    func whatAPartNeedsIsShownSideBySide() async throws {
        let conditions: [StubCondition] = [
            .query("page"), .query("size", matching: "^[0-9]+$"), .header("X-Trace"),
            .header("Authorization", matching: "^Bearer b"), .text(matching: "("),
            .json(containing: #"{"name": "Ada", "tags": [1]}"#),
        ]
        let request = client.post("/x?size=many") {
            $0.header("Authorization", "Bearer abcdef").body(json: ["name": "Bob", "age": 1] as [String: Any])
        }
        await request.ended()
        let text = await failureText { try server.expectRequest(.post, "/x", where: conditions) }
        #expect(
            text.components(separatedBy: "\n").prefix(12).joined(separator: "\n") == """
                expected a request POST /x query any page query matching size=^[0-9]+$ header any X-Trace \
                header matching Authorization: ‹secret› text matching ( JSON containing {"name":"Ada","tags":[1]}, \
                but 0 came
                  nearest request: POST https://api.example.com/x?size=many
                                          expected                  request
                    method                POST                      POST
                    path                  /x                        /x
                    query                 any page                ≠ no page
                    query matching        size=^[0-9]+$           ≠ size=many
                    header                any X-Trace             ≠ no X-Trace
                    header matching       Authorization: ‹secret› ≠ Authorization: ‹secret› (another value)
                    text matching         (                       ≠ {"age":1,"name":"Bob"}
                    JSON containing name  "Ada"                   ≠ "Bob"
                    JSON containing tags  [1]                     ≠ –
                """
        )
    }

    // MARK: Counts

    @Test(
        arguments: [
            (.atLeast(2), [false, false, true, true]), (.atMost(2), [false, true, true, false]),
            (.exactly(2), [false, false, true, false]), (1, [false, true, false, false]),
        ] as [(StubCount, [Bool])]
    )
    func expectedCountIsChecked(times: StubCount, isMet: [Bool]) async {
        server.on("/x", .status(204))
        for count in 0..<4 {
            if count > 0 { await client.get("/x").ended() }
            let isFound = (try? server.expectRequest("/x", times: times)) != nil
            #expect(isFound == isMet[count], "after \(count)")
        }
    }

    @Test(
        arguments: [
            (.atLeast(2), 3, [false, false, true, true]), (.atMost(2), 2, [true, true, true, false]),
            (.exactly(2), 2, [false, false, true, false]), (.atLeast(0), 3, [true, true, true, true]),
        ] as [(StubCount, Int, [Bool])]
    )
    func countOfARuleLimitsAndIsVerified(times: StubCount, responses: Int, isVerified: [Bool]) async {
        server.on("/x", .status(204), times: times)
        var count = 0
        for requests in 0..<4 {
            if requests > 0, await client.get("/x").ended().value != nil { count += 1 }
            let hasPassed = (try? server.verify()) != nil
            #expect(hasPassed == isVerified[requests], "after \(requests)")
        }
        #expect(count == responses)
    }

    @Test
    func countsAreNamedInWords() async throws {
        server.on("/x", .status(204), times: .atLeast(2))
        await client.get("/x").ended()
        let expected = await failureText { try server.expectRequest("/x", times: .atLeast(2)) }
        #expect(expected.hasPrefix("expected at least 2 requests any method /x, but 1 came"))
        let none = await failureText { try server.expectRequest("/y", times: .atMost(2)) }
        #expect(none.hasPrefix("expected at most 2 requests any method /y, but 0 came"))
        #expect(await failureText { try server.verify() } == "the rule any method /x was used 1 of at least 2 times")
    }
}
