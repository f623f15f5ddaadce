import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Responses and errors decode their content as their client does.
@Suite(.timeLimit(.minutes(5)))
struct ResponseDecoderTests {
    private struct Person: Decodable, Equatable { var firstName: String }

    private final class Chooser: SimpleNetworking, @unchecked Sendable {
        override func decoder(for request: SimpleRequest) -> any ResponseDecoder {
            request.tags["case"] == "snake" ? JSONDecoder.snakeCase : super.decoder(for: request)
        }
    }

    private let ada = Person(firstName: "Ada")
    private let server = StubTransport()
        .on("/user", .json(#"{"first_name": "Ada"}"#))
        .on("/error", .json(#"{"first_name": "Ada"}"#, status: 422))
        .on("/empty", .status(500))
    private let warnings = Recorder<String>()

    private func client(_ decoder: any ResponseDecoder) -> SimpleNetworking {
        SimpleNetworking(over: server) {
            $0.decoder = decoder
            $0.logger = RequestLogger { [warnings] in warnings.add("\($0) \($1)") }
        }
    }

    @Test
    func responseUsesTheDecoderOfItsClient() async throws {
        let response = try await client(JSONDecoder.snakeCase).send(SimpleNetworking.get("/user"))
        #expect(try response.decode(Person.self) == ada)
        #expect(throws: SimpleNetworkingError.self) { try response.decode(Person.self, using: JSONDecoder()) }
    }

    @Test
    func errorUsesTheDecoderOfItsClient() async throws {
        let api = client(JSONDecoder.snakeCase)
        let error = try #require(
            await #expect(throws: SimpleNetworkingError.self) { try await api.send(Request<Person>.get("/error")) }
        )
        #expect(error.content(as: Person.self) == ada)
        #expect(warnings.elements == [])
    }

    @Test
    func responseUsesTheDecoderThatASubclassChoosesForTheRequest() async throws {
        let api = Chooser(over: server)
        let request = SimpleNetworking.get("/user").tag("case", "snake")
        #expect(try await api.send(request).decode(Person.self) == ada)
        let plain = try await api.send(SimpleNetworking.get("/user"))
        #expect(throws: SimpleNetworkingError.self) { try plain.decode(Person.self) }
    }

    @Test
    func responseThatOutlivesItsClientUsesTheClientsOwnDecoder() async throws {
        let response = try await Chooser(over: server) { $0.decoder = JSONDecoder.snakeCase }
            .send(SimpleNetworking.get("/user"))
        #expect(try response.decode(Person.self) == ada)
    }

    @Test
    func contentOfAnErrorThatCannotBeDecodedIsLogged() async throws {
        let api = client(JSONDecoder())
        let error = try #require(
            await #expect(throws: SimpleNetworkingError.self) { try await api.send(SimpleNetworking.get("/error")) }
        )
        #expect(warnings.elements == [])
        #expect(error.content(as: Person.self) == nil)
        let text = try #require(warnings.elements.first)
        #expect(text.hasPrefix("warning GET https://api.example.com/error got status 422, but the content could not"))
        #expect(text.contains("firstName"))
    }

    @Test
    func contentThatAnErrorHandlerGetsNotIsLogged() async throws {
        await client(JSONDecoder()).get("/error") { $0.on(error: Person.self) { _, value, _ in #expect(value == nil) } }
            .ended()
        #expect(warnings.elements.count == 1)
    }

    @Test
    func missingContentOfAnErrorIsNotLogged() async throws {
        let api = client(JSONDecoder())
        let error = try #require(
            await #expect(throws: SimpleNetworkingError.self) { try await api.send(SimpleNetworking.get("/empty")) }
        )
        #expect(error.content(as: Person.self) == nil)
        #expect(warnings.elements == [])
    }
}

extension JSONDecoder {
    fileprivate static var snakeCase: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}
