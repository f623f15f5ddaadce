import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Handlers for values that are added late, and decoding that races with `retry()`, `cancel()`, `succeed(with:)` and `fail(_:)`.
@Suite(.timeLimit(.minutes(5)))
struct ValueHandlerMeetingTests {
    struct User: Codable, Equatable, Sendable { var name: String }

    private let server = StubTransport()
    private let calls = Recorder<String>()
    private let clock = VirtualClock()
    private let decoder = DisturbedDecoder()
    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server, clock: clock)
    }

    private func user(_ name: String, for response: SimpleResponse) -> SimpleResponse {
        SimpleResponse(request: response.request, data: Data(#"{"name": "\#(name)"}"#.utf8))
    }

    @Test
    func aHandlerAddedWhileTheRequestRunsJoinsTheEnd() async throws {
        let gate = Gate()
        server.on("/user", .json(#"{"name": "Ada"}"#).after(gate))
        let request = client.get("/user") { $0.on(success: User.self) { calls.add("first \($0.name)") } }
        request.on(success: User.self) { calls.add("second \($0.name)") }
        gate.open()
        await request.ended()
        #expect(calls.elements == ["first Ada", "second Ada"])
    }

    @Test
    func aHandlerAddedByAHandlerRunsInTheSameExecution() async throws {
        server.on("/user", .json(#"{"name": "Ada"}"#))
        let calls = calls
        let request = SimpleNetworking.get("/user")
        request.on(success: { [unowned request] _ in
            request.on(isolation: nil, success: User.self) { calls.add($0.name) }
        })
        await request.execute(on: client).ended()
        await request.ended()
        #expect(calls.elements == ["Ada"])
    }

    @Test
    func aHandlerAddedAfterTheEndRunsOnceWithTheValue() async throws {
        server.on("/user", .json(#"{"name": "Ada"}"#))
        let request = client.get("/user")
        await request.ended()
        request.on(success: User.self) { calls.add($0.name) }
        await request.ended()
        await request.ended()
        #expect(calls.elements == ["Ada"])
    }

    @Test
    func handlerAddedAfterTheEndWithoutAValueIsSkippedAndLogged() async throws {
        server.on("/user", .json("[]"))
        let request = client.get("/user")
        await request.ended()
        request.on(success: User.self) { calls.add($0.name) }
        #expect(await request.ended().value?.httpStatus == 200)
        #expect(calls.elements == [])
        #expect(request.trace.description.contains("has no value"))
    }

    @Test(arguments: [true, false])
    func responseGivenByAStatusHandlerIsDecoded(continues: Bool) async throws {
        server.on("/user", .json(#"{"title": "gone"}"#, status: 404))
        let request = client.get("/user") {
            $0.on(httpStatus: 404) { request, response in
                request.succeed(with: user("Bob", for: response))
                return continues
            }
            .on(success: User.self) { calls.add($0.name) }
            .on(error: { error in calls.add("\(error)") })
        }
        await request.ended()
        #expect(calls.elements == ["Bob"])
        try expectOrder(of: request, [.status(404), .success, .completion])
    }

    @Test
    func responseGivenLaterIsDecoded() async throws {
        server.on("/user", .status(404))
        let kept = Recorder<(SimpleRequest, SimpleResponse)>()
        let hasIt = Gate()
        let request = client.get("/user") {
            $0.on(httpStatus: 404) { request, response in
                kept.add((request, response))
                hasIt.open()
                return false
            }
            .on(success: User.self) { calls.add($0.name) }
        }
        try await hasIt.wait()
        let (taken, response) = try #require(kept.elements.first)
        taken.succeed(with: user("late", for: response))
        taken.succeed(with: user("later", for: response))
        taken.fail(CancellationError())
        await request.ended()
        #expect(calls.elements == ["late"])
        #expect(server.requests.count == 1)
    }

    @Test
    func undecodableGivenResponseFails() async throws {
        server.on("/user", .status(404))
        let request = client.get("/user") {
            $0.on(httpStatus: 404) { request, response in
                request.succeed(with: SimpleResponse(request: response.request, data: Data("[]".utf8)))
                return false
            }
            .on(success: User.self) { calls.add($0.name) }
        }
        guard case .decoding(_, let response)? = await request.ended().error else { throw Surprise("no .decoding") }
        #expect(response.text == "[]")
        #expect(calls.elements == [])
    }

    @Test
    func failInAStatusHandlerGivesErrorHandlersTheDecodedContent() async throws {
        server.on("/user", .json(#"{"name": "Ada"}"#, status: 404))
        let request = client.get("/user") {
            $0.on(httpStatus: 404) { request, _ in
                request.fail(Surprise("mine"))
                return false
            }
            .on(error: User.self) { error, user, _ in calls.add("\(name(of: error)) \(user?.name ?? "none")") }
        }
        await request.ended()
        #expect(calls.elements == ["failed Ada"])
    }

    @Test
    func cancellingWhileContentIsDecodedEndsOnceWithCancelled() async throws {
        server.on("/user", .json(#"{"name": "Ada"}"#))
        let request = disturbed { $0.cancel() }
        request.on(success: User.self) { calls.add($0.name) }
            .on(error: { calls.add(name(of: $0)) })
            .on(completion: { _ in calls.add("end") })
        await request.execute(on: SimpleNetworking(over: server, clock: clock) { $0.decoder = decoder }).ended()
        #expect(calls.elements == ["cancelled", "end"])
    }

    @Test
    func retryWhileContentIsDecodedDropsThatContent() async throws {
        server.on("/user", .json(#"{"name": "old"}"#), times: 1).on("/user", .json(#"{"name": "new"}"#))
        let request = disturbed { $0.retry() }
        request.on(success: User.self) { calls.add($0.name) }
        #expect(
            await request.execute(on: SimpleNetworking(over: server, clock: clock) { $0.decoder = decoder }).ended()
                .value?.attempt == 2
        )
        #expect(calls.elements == ["new"])
    }

    @Test
    func succeedWhileContentIsDecodedDropsThatContent() async throws {
        server.on("/user", .json(#"{"name": "old"}"#))
        let head = RequestHead(url: try #require(URL(string: "https://api.example.com/user")))
        let request = disturbed {
            $0.succeed(with: SimpleResponse(request: head, data: Data(#"{"name": "mine"}"#.utf8)))
        }
        request.on(success: User.self) { user, response in calls.add("\(user.name) \(response.text ?? "")") }
        await request.execute(on: SimpleNetworking(over: server, clock: clock) { $0.decoder = decoder }).ended()
        #expect(calls.elements == [#"mine {"name": "mine"}"#])
    }

    @Test
    func failWhileContentIsDecodedDropsThatContent() async throws {
        server.on("/user", .json(#"{"name": "old"}"#))
        let request = disturbed { $0.fail(Surprise("mine")) }
        request.on(success: User.self) { calls.add($0.name) }
            .on(error: User.self) { error, user, _ in calls.add("\(name(of: error)) \(user?.name ?? "none")") }
        await request.execute(on: SimpleNetworking(over: server, clock: clock) { $0.decoder = decoder }).ended()
        #expect(calls.elements == ["failed old"])
    }

    /// A request on which a closure is called while its content is decoded for the first time.
    private func disturbed(_ disturb: @escaping @Sendable (SimpleRequest) -> Void) -> SimpleRequest {
        let request = SimpleNetworking.get("/user")
        decoder.disturbance.withLock { $0 = { [unowned request] in disturb(request) } }
        return request
    }
}

/// Calls a closure first, once.
private final class DisturbedDecoder: ResponseDecoder, Sendable {
    let disturbance = Locked<(@Sendable () -> Void)?>(nil)

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let disturb = disturbance.withLock { disturbance in
            defer { disturbance = nil }
            return disturbance
        }
        disturb?()
        return try JSONDecoder().decode(type, from: data)
    }
}
