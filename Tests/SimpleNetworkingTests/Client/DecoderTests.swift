import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Decoding of content: by which decoder, and on which thread.
@Suite(.timeLimit(.minutes(5)))
struct DecoderTests {
    private struct User: Codable { var name: String }

    private let server = StubTransport().on("/user", .json(#"{"name": "Ada"}"#))

    @Test
    func aDecoderOfAnotherKindIsUsedByEveryFace() async throws {
        server.on("/upper", .text("ada"))
        let client = SimpleNetworking(over: server) { $0.decoder = UpperCase() }
        #expect(try await client.send(Request<Upper>.get("/upper")).value.text == "ADA")
        let heard = Recorder<String>()
        await client.get("/upper") { $0.on(success: Upper.self) { heard.add($0.text) } }.ended()
        #expect(heard.elements == ["ADA"])
    }

    @Test
    func itsErrorIsKeptWithTheContent() async throws {
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await SimpleNetworking(over: server) { $0.decoder = UpperCase() }.send(Request<User>.get("/user"))
        }
        guard case .decoding(let failure, let response)? = error else { throw Surprise("\(error as Any)") }
        #expect(failure.underlying is UpperCase.Refusal)
        #expect(failure.type == "User")
        #expect(response.text == #"{"name": "Ada"}"#)
    }

    @Test(arguments: [StubResponse.status(200), .status(204)])
    func aDecoderOfAnotherKindMayHaveAValueForEmptyContent(response: StubResponse) async throws {
        server.on("/empty", response)
        let client = SimpleNetworking(over: server) { $0.decoder = UpperCase() }
        #expect(try await client.send(Request<Upper>.get("/empty")).value.text == "")
        #expect(try await client.send(Request<Upper?>.get("/empty")).value == nil)
        let heard = Recorder<String>()
        await client.get("/empty") { $0.on(success: Upper.self) { heard.add($0.text) } }.ended()
        #expect(heard.elements == [""])
    }

    @Test
    func aSubclassChoosesTheDecoderByRequest() async throws {
        server.on("/snake", .json(#"{"first_name": "Ada"}"#))
        struct Person: Decodable { var firstName: String }
        let client = SnakeClient(over: server)
        let request = Request<Person>(path: "/snake", id: "snake")
        #expect(try await client.send(request).value.firstName == "Ada")
        await #expect(throws: SimpleNetworkingError.self) { try await client.send(Request<Person>.get("/snake")) }
    }

    /// An immediate response must be decoded neither in the call that requests it nor on the callback queue.
    @Test(arguments: [true, false])
    func contentIsDecodedNeitherByTheCallerNorOnTheCallbackQueue(answersAtOnce: Bool) async throws {
        let gate = Gate()
        if answersAtOnce { gate.open() }
        server.on("/slow", .json(#"{"name": "Ada"}"#).after(gate))
        let queue = DispatchQueue(label: "callbacks")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let places = Recorder<String>()
        let decoder = Watched {
            let caller = Thread.current.threadDictionary["isCaller"] != nil
            places.add(
                Thread.isMainThread
                    ? "main"
                    : DispatchQueue.getSpecific(key: key) == true ? "callbacks" : caller ? "caller" : "elsewhere"
            )
        }
        let client = SimpleNetworking(over: server) {
            $0.decoder = decoder
            $0.callbackQueue = queue
        }
        let request = SimpleNetworking.get(answersAtOnce ? "/user" : "/slow")
        request.on(isolation: nil, success: User.self) { _ in
            places.add(DispatchQueue.getSpecific(key: key) == true ? "handled on callbacks" : "handled elsewhere")
        }
        let isAsked = Gate()
        Thread.detachNewThread {
            Thread.current.threadDictionary["isCaller"] = true
            request.execute(on: client)
            isAsked.open()
        }
        try await isAsked.wait()
        gate.open()
        await request.ended()
        #expect(places.elements == ["elsewhere", "handled on callbacks"])
    }

    @Test
    @MainActor
    func requestAwaitedOnTheMainActorIsNotDecodedThere() async throws {
        // A thread is no help: on Linux, the main queue may move to another one.
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let isMain: @Sendable () -> Bool = { DispatchQueue.getSpecific(key: key) == true }
        let decodings = Recorder<Bool>()
        let handlings = Recorder<Bool>()
        let client = SimpleNetworking(over: server) { $0.decoder = Watched { decodings.add(isMain()) } }
        client.get("/user") { $0.on(success: User.self) { _ in handlings.add(isMain()) } }
        _ = try await client.send(Request<User>.get("/user"))
        try await eventually { handlings.elements.count == 1 }
        #expect(decodings.elements == [false, false])
        #expect(handlings.elements == [true])
    }
}

private struct Upper: Decodable, Equatable {
    var text: String

    init(text: String) { self.text = text }
    init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
}

/// Reads text, in capitals.
private struct UpperCase: ResponseDecoder {
    struct Refusal: Error {}

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        guard let value = Upper(text: String(decoding: data, as: UTF8.self).uppercased()) as? Value else {
            throw Refusal()
        }
        return value
    }
}

/// Tells that it decodes.
private struct Watched: ResponseDecoder {
    let begins: @Sendable () -> Void

    init(_ begins: @escaping @Sendable () -> Void) { self.begins = begins }

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        begins()
        return try JSONDecoder().decode(type, from: data)
    }
}

private final class SnakeClient: SimpleNetworking, @unchecked Sendable {
    override func decoder(for request: SimpleRequest) -> any ResponseDecoder {
        guard request.tags["id"] == "snake" else { return super.decoder(for: request) }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}
