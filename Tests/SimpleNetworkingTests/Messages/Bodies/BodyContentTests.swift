import Foundation
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

struct BodyContentTests {
    private struct User: Encodable {
        var name = "Ada"
        var score = 1.0
        var friends: [User] = []
    }

    @Test
    func textIsUTF8() throws {
        let (text, type) = try content(.text("é\n"))
        #expect(text == "é\n")
        #expect(type == "text/plain; charset=utf-8")
    }

    @Test(
        arguments: [
            ([("b", "1"), ("a", nil), ("b", "2")], "b=1&b=2"), (["b": "1", "a": "2"], "a=2&b=1"), ([], ""),
            ([("a b", "c d+e")], "a+b=c+d%2Be"), ([("a", "&=%é*-._~")], "a=%26%3D%25%C3%A9*-._%7E"),
            ([("a", "x\r\ny")], "a=x%0D%0Ay"),
        ] as [(Query, String)]
    )
    func aFormIsEncodedAsBrowsersDo(pairs: Query, text: String) throws {
        let encoded = try content(.form(pairs))
        #expect(encoded.0 == text)
        #expect(encoded.1 == .form)
    }

    @Test
    func anObjectIsEncodedAtOnce() throws {
        let object = NSMutableDictionary(dictionary: ["a": 1])
        let body = BodyContent.json(object)
        object["a"] = 2
        #expect(try content(body).0 == #"{"a":1}"#)
    }

    @Test
    func unencodableObjectFailsAtExecution() {
        let body = BodyContent.json(["a": Double.nan])
        let error = #expect(throws: SimpleNetworkingError.self) { try content(body) }
        #expect(error?.description == "The request was not sent: the value at a is nan, which JSON has no form for.")
    }

    @Test
    func encodableBodyUsesItsEncoderOrTheClients() throws {
        let snake = JSONEncoder()
        snake.keyEncodingStrategy = .convertToSnakeCase
        #expect(try content(.encodable(["firstName": 1])).0 == #"{"firstName":1}"#)
        #expect(try content(.json(encoding: Named(firstName: "Ada"), with: snake)).0 == #"{"first_name":"Ada"}"#)
        #expect(try content(.encodable(Named(firstName: "Ada")), encoder: snake).0 == #"{"first_name":"Ada"}"#)
    }

    @Test
    func unencodableBodyFailsWithItsPlace() {
        let user = User(friends: [User(score: .nan)])
        for body in [BodyContent.encodable(user), .json(encoding: user, with: JSONEncoder())] {
            let error = #expect(throws: SimpleNetworkingError.self) { try content(body) }
            #expect(error?.description.contains("User cannot be encoded as JSON at friends.0.score") == true)
        }
    }

    @Test
    func typedBodyIsSentUnchangedOrAsJSON() throws {
        #expect(try content(.typed(Data("x".utf8))).0 == "x")
        #expect(try content(.typed("x")).0 == "x")
        #expect(try content(.typed(["x"])).0 == #"["x"]"#)
        #expect(try content(.typed(3)).0 == "3")
        #expect(try BodyContent.typed(nil).encoded(with: JSONEncoder()).0.isNone)
        let none: [String]? = nil
        let optional: any Encodable & Sendable = none
        #expect(try BodyContent.typed(optional).encoded(with: JSONEncoder()).0.isNone)
        #expect(try BodyContent.typed(none).encoded(with: JSONEncoder()).1 == nil)
    }

    private struct Made: BodySource {
        let contentType: MediaType
        let requiredParameter: String?

        func encoded() throws(SimpleNetworkingError) -> RequestBody { .data(Data("made".utf8)) }
    }

    @Test(arguments: [(nil, "a/c"), ("v", "a/b; v=1")])
    func aSourcesOwnTypeStaysIfAnotherLacksTheParameterThatItNeeds(parameter: String?, type: MediaType) async throws {
        let source = Made(contentType: "a/b; v=1", requiredParameter: parameter)
        let request = SimpleNetworking.post("/x").body(source: source).contentType("a/c")
        let made = try await SimpleNetworking(host: "api.example.com").makeRequest(for: request)
        guard case .data(let data) = made.body else { throw Surprise("\(made.body)") }
        #expect(data == Data("made".utf8))
        #expect(made.headers["Content-Type"] == type.rawValue)
    }

    private struct Named: Encodable { var firstName: String }

    private func content(_ content: BodyContent, encoder: JSONEncoder = JSONEncoder()) throws -> (String, MediaType?) {
        let (body, type) = try content.encoded(with: encoder)
        guard case .data(let data) = body else { throw CocoaError(.coderInvalidValue) }
        return (String(decoding: data, as: UTF8.self), type)
    }
}
