import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Handlers that take content as a value.
@Suite(.timeLimit(.minutes(5)))
struct ValueHandlerTests {
    struct User: Codable, Equatable, Sendable { var name: String }
    struct Problem: Codable, Equatable, Sendable { var title: String }

    private let server = StubTransport()
    private let calls = Recorder<String>()
    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server)
    }

    @Test
    func successHandlersOfAllFormsGetTheValue() async throws {
        server.on("/user", .json(#"{"name": "Ada"}"#))
        let request = client.get("/user") {
            $0.on(success: User.self) { calls.add($0.name) }
                .on(success: User.self) { user, response in calls.add("\(user.name) \(response.httpStatus)") }
                .on(success: { calls.add("plain \($0.httpStatus)") })
        }
        await request.ended()
        #expect(calls.elements == ["Ada", "Ada 200", "plain 200"])
        try expectOrder(of: request, [.success, .success, .success, .completion])
    }

    @Test
    func aHandlerWhoseParameterIsAListGetsTheList() async throws {
        server.on("/users", .json(#"[{"name": "Ada"}, {"name": "Bob"}]"#))
        let request = client.get("/users") {
            $0.on(success: { (users: [User]) in calls.add("\(users.map(\.name))") })
        }
        await request.ended()
        #expect(calls.elements == [#"["Ada", "Bob"]"#])
        try expectOrder(of: request, [.success, .completion])
    }

    @Test
    func undecodableContentRunsErrorHandlersOnly() async throws {
        server.on("/user", .json(#"{"friends": [{"name": "Ada"}, {"name": 7}]}"#))
        let request = client.get("/user") {
            $0.on(success: { _ in calls.add("success") })
                .on(success: [String: [User]].self) { _ in calls.add("value") }
                .on(error: { error in calls.add(name(of: error)) })
        }
        let error = await request.ended().error
        #expect(calls.elements == ["decoding"])
        guard case .decoding(let failure, let response)? = error else { throw Surprise("\(error as Any)") }
        #expect(failure.type == "Dictionary<String, Array<User>>")
        #expect(failure.codingPath == "friends.1.name")
        #expect(response.text == #"{"friends": [{"name": "Ada"}, {"name": 7}]}"#)
        #expect(error?.httpStatus == 200)
        #expect("\(failure)".contains("at friends.1.name"))
    }

    @Test
    func aStatusHandlerGetsTheValueAndMayTakeTheRequestOver() async throws {
        server.on("/user", .json(#"{"title": "taken"}"#, status: 422), times: 1).on("/user", .json("{}"))
        let request = client.post("/user") {
            $0.on(httpStatus: 422, decoding: Problem.self) { problem, request, response in
                calls.add("\(problem.title) \(response.attempt)")
                request.retry()
                return false
            }
        }
        #expect(await request.ended().value?.attempt == 2)
        #expect(calls.elements == ["taken 1"])
    }

    @Test
    func undecodableContentForAStatusHandlerFails() async throws {
        server.on("/user", .text("no JSON", status: 422))
        let request = client.post("/user") {
            $0.on(httpStatus: .clientError, decoding: Problem.self) { _, _, _ in
                calls.add("status")
                return true
            }
            .on(httpStatus: 422) { _, _ in
                calls.add("later")
                return true
            }
        }
        guard case .decoding(_, let response)? = await request.ended().error else { throw Surprise("no .decoding") }
        #expect(response.httpStatus == 422)
        #expect(calls.elements == [])
    }

    @Test(arguments: [
        (StubResponse.json(#"{"title": "taken"}"#, status: 422), "clientError taken 422"),
        (.text("no JSON", status: 500), "serverError none 500"),
        (.failure(NetworkFailure(.connectionLost)), "networkingError none 0"),
    ])
    func errorHandlerGetsTheDecodedProblemOfTheResponse(reply: StubResponse, expected: String) async throws {
        server.on("/user", reply)
        let request = client.get("/user") {
            $0.on(error: Problem.self) { error, problem, response in
                calls.add("\(name(of: error)) \(problem?.title ?? "none") \(response?.httpStatus ?? 0)")
            }
        }
        await request.ended()
        #expect(calls.elements == [expected])
    }

    @Test
    func retriedRequestDecodesTheNewResponse() async throws {
        server.on("/user", .json(#"{"name": "old"}"#, status: 503), times: 1).on("/user", .json(#"{"name": "new"}"#))
        let request = client.get("/user") {
            $0.on(httpStatus: HTTPStatuses(200..<600), decoding: User.self) { user, request, response in
                calls.add("status \(user.name)")
                if response.httpStatus == 503 { request.retry() }
                return response.httpStatus == 200
            }
            .on(success: User.self) { calls.add("success \($0.name)") }
        }
        await request.ended()
        #expect(calls.elements == ["status old", "status new", "success new"])
    }

    @Test
    func secondExecutionDecodesItsOwnResponse() async throws {
        server.on("/user", .json(#"{"name": "first"}"#), times: 1).on("/user", .json(#"{"name": "second"}"#))
        let request = SimpleNetworking.get("/user").on(success: User.self) { calls.add($0.name) }
        await request.execute(on: client).ended()
        await request.execute(on: client).ended()
        #expect(calls.elements == ["first", "second"])
    }
}
