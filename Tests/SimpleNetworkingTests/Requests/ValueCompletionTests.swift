import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Completion handlers that take a value or an error.
@Suite(.timeLimit(.minutes(5)))
struct ValueCompletionTests {
    struct User: Codable, Equatable, Sendable { var name: String }
    struct Problem: Codable, Equatable, Sendable { var title: String }

    private let server = StubTransport()
    private let calls = Recorder<String>()
    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server)
    }

    private func note(_ result: Result<User, SimpleNetworkingError>) {
        switch result {
        case .success(let user): calls.add("value \(user.name)")
        case .failure(let error): calls.add(name(of: error))
        }
    }

    @Test(arguments: [
        (StubResponse.json(#"{"name": "Ada"}"#), ["success", "value Ada", "completion"]),
        (.json("[]"), ["error", "decoding", "completion"]),
        (.json(#"{"name": "Ada"}"#, status: 500), ["error", "serverError", "completion"]),
        (.failure(NetworkFailure(.offline)), ["error", "networkingError", "completion"]),
    ])
    func completionHandlerForAValueRunsAtAnyEndInOrder(reply: StubResponse, order: [String]) async {
        server.on("/user", reply)
        let request = client.get("/user") {
            $0.on(isolation: nil, completion: User.self, note)
                .on(isolation: nil, completion: { _ in calls.add("completion") })
                .on(isolation: nil, error: { _ in calls.add("error") })
                .on(isolation: nil, success: { _ in calls.add("success") })
        }
        await request.ended()
        #expect(calls.elements == order)
    }

    @Test
    func completionHandlerForAValueRunsWhenCancelledOrStopped() async throws {
        server.on("/slow", .silence).on("/user", .status(401))
        let slow = client.get("/slow") { $0.on(isolation: nil, completion: User.self, note) }
        slow.cancel()
        await slow.ended()
        let left = client.get("/user") {
            $0.on(isolation: nil, completion: User.self, note).on(isolation: nil, httpStatus: 401) { request, _ in
                request.stop()
                return false
            }
        }
        await left.ended()
        #expect(calls.elements == ["cancelled", "stopped"])
    }

    @Test
    func completionHandlerAddedAfterTheEndRunsOnce() async throws {
        server.on("/user", .json(#"{"name": "Ada"}"#))
        let request = client.get("/user")
        await request.ended()
        request.on(isolation: nil, completion: User.self, note)
        try await eventually { !calls.elements.isEmpty }
        await request.ended()
        #expect(calls.elements == ["value Ada"])
    }

    @Test
    func completionHandlerAddedAfterAnUndecodableSuccessGetsDecoding() async throws {
        server.on("/user", .text("no JSON"))
        let request = client.get("/user")
        await request.ended()
        request.on(isolation: nil, completion: User.self, note)
        try await eventually { !calls.elements.isEmpty }
        #expect(calls.elements == ["decoding"])
    }

    @Test
    func responseGivenToSucceedIsDecodedForTheCompletionHandler() async {
        server.on("/user", .status(404))
        let request = client.get("/user") {
            $0.on(isolation: nil, completion: User.self, note).on(isolation: nil, httpStatus: 404) {
                request,
                response in
                request.succeed(
                    with: SimpleResponse(request: response.request, data: Data(#"{"name": "Bob"}"#.utf8))
                )
                return false
            }
        }
        await request.ended()
        #expect(calls.elements == ["value Bob"])
    }

    @Test
    func completionHandlerForAValueCountsAsHandlingTheError() async throws {
        let lines = Recorder<String>()
        server.on("/user", .status(500))
        let client = SimpleNetworking(host: "api.example.com") {
            $0.transport = server
            $0.logger = RequestLogger(level: .error) { lines.add($1) }
        }
        await client.get("/user") { $0.on(isolation: nil, completion: User.self, note) }.ended()
        #expect(lines.elements == [] && calls.elements == ["serverError"])
    }

    @Test
    func errorDecodesTheContentOfItsResponse() async throws {
        server.on("/user", .json(#"{"title": "taken"}"#, status: 422)).on("/lost", .failure(NetworkFailure(.offline)))
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client.send(Request<User>.get("/user"))
        }
        #expect(error?.content(as: Problem.self) == Problem(title: "taken") && error?.content(as: User.self) == nil)
        let lost = await #expect(throws: SimpleNetworkingError.self) {
            try await client.send(Request<User>.get("/lost"))
        }
        #expect(lost?.content(as: Problem.self) == nil)
    }
}
