import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Handlers of one type share the value that was decoded for them.
@Suite(.timeLimit(.minutes(5)))
struct SharedValueTests {
    private final class Box: Decodable {
        let name: String

        private enum CodingKeys: CodingKey { case name }

        init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
        }
    }

    private struct Counting: ResponseDecoder {
        let types = Recorder<String>()

        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            types.add("\(type)")
            return try JSONDecoder().decode(type, from: data)
        }
    }

    private let decoder = Counting()
    private let server = StubTransport().on("/box", .json(#"{"name": "Ada"}"#))

    private func client() -> SimpleNetworking { SimpleNetworking(over: server) { $0.decoder = decoder } }

    @Test
    func contentIsDecodedOnceForHandlersInOnePlace() async throws {
        let names = Recorder<String>()
        await client().get("/box") { request in
            request
                .on(isolation: nil, success: Box.self) { names.add("1 \($0.name)") }
                .on(isolation: nil, success: Box.self) { names.add("2 \($0.name)") }
                .on(isolation: nil, completion: Box.self) { names.add("3 \((try? $0.get())?.name ?? "")") }
        }.ended()
        #expect(decoder.types.elements == ["Box"])
        #expect(names.elements == ["1 Ada", "2 Ada", "3 Ada"])
    }

    @Test
    func handlersInDifferentPlacesGetValuesOfTheirOwn() async throws {
        let identities = Recorder<ObjectIdentifier>()
        await client().get("/box") { request in
            request
                .on(isolation: nil, success: Box.self) { identities.add(ObjectIdentifier($0)) }
                .on(isolation: MainActor.shared, completion: Box.self) { result in
                    if case .success(let box) = result { identities.add(ObjectIdentifier(box)) }
                }
        }.ended()
        #expect(decoder.types.elements == ["Box", "Box"])
    }

    @Test
    func awaitingCallerGetsAValueOfItsOwn() async throws {
        let names = Recorder<String>()
        let api = Adding(over: server) { [decoder] in $0.decoder = decoder }
        api.names = names
        #expect(try await api.send(Request<Box>.get("/box")).value.name == "Ada")
        #expect(names.elements == ["Ada"])
        #expect(decoder.types.elements == ["Box", "Box"])
    }

    @Test
    func optionalValueIsDecodedAndSharedToo() async throws {
        let names = Recorder<String>()
        await client().get("/box") { request in
            request
                .on(isolation: nil, success: Box?.self) { names.add($0?.name ?? "nil") }
                .on(isolation: nil, success: Box?.self) { names.add($0?.name ?? "nil") }
        }.ended()
        #expect(names.elements == ["Ada", "Ada"])
        #expect(decoder.types.elements.count == 1)
    }

    @Test
    func eachTypeIsDecodedForItself() async throws {
        await client().get("/box") { request in
            request
                .on(isolation: nil, success: Box.self) { _ in }
                .on(isolation: nil, success: [String: String].self) { _ in }
                .on(isolation: nil, success: Box.self) { _ in }
        }.ended()
        #expect(decoder.types.elements == ["Box", "Dictionary<String, String>"])
    }

    @Test
    func eachResponseIsDecodedForItself() async throws {
        await client().get("/box") { request in
            request
                .on(
                    isolation: nil,
                    httpStatus: 200,
                    decoding: Box.self,
                    { _, request, response in
                        if response.attempt == 1 { request.retry() }
                        return response.attempt > 1
                    }
                )
                .on(isolation: nil, success: Box.self) { _ in }
        }.ended()
        #expect(decoder.types.elements == ["Box", "Box"])
    }

    /// Adds a handler of the same type to each request.
    private final class Adding: SimpleNetworking, @unchecked Sendable {
        var names: Recorder<String>?

        override func execute(request: SimpleRequest) {
            let names = names
            request.on(isolation: nil, success: Box.self) { names?.add($0.name) }
            super.execute(request: request)
        }
    }
}
