import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

@Suite(.timeLimit(.minutes(5)))
struct JSONLinesTests {
    private struct Person: Codable, Equatable {
        let name: String
        let tags: [Int]
    }

    /// Not Sendable, as many a model is.
    private final class Model: Decodable {
        let name: String
    }

    private let text = #"""
        {"name": "Ä\n1", "tags": []}

        {"name": "😀", "tags": [1, 2]}
        """#
    private let people = [Person(name: "Ä\n1", tags: []), Person(name: "😀", tags: [1, 2])]

    private func lines<Value: Decodable & _SendableMetatype>(
        _ type: Value.Type,
        _ chunks: Chunks,
        head: RequestHead? = nil
    ) -> RequestSequence<Value> {
        let response = head.map { SimpleResponse(request: $0, httpStatus: 203, headers: ["X": "y"], attempt: 2) }
        return .jsonLines(chunks, response: response)
    }

    @Test(arguments: ["", "\n", "\r\n", "\n \t\r\n\n"])
    func eachLineIsAValueWhereverTheChunksEnd(end: String) async {
        for text in [text, text.replacingOccurrences(of: "\n\n", with: "\r\n\r\n"), "\u{FEFF}" + text] {
            for chunks in Data((text + end).utf8).everyCut {
                let (values, error) = await lines(Person.self, Chunks(chunks)).all()
                #expect(values == people)
                #expect(error == nil)
            }
        }
    }

    @Test
    func emptyBodyHasNoValues() async {
        #expect(await lines(Person.self, Chunks()).all().elements.isEmpty)
    }

    @Test
    func aLineThatDoesNotDecodeIsNamedWithItsTypePlaceAndNumber() async throws {
        let wrong = #"{"name": "b", "tags": [1, "2"]}"#
        let head = RequestHead(url: try #require(URL(string: "https://api.example.com/people")))
        for chunks in Data((text + "\r\n\r\n" + wrong).utf8).everyCut {
            let (values, error) = await lines(Person.self, Chunks(chunks), head: head).all()
            #expect(values == people)
            guard case SimpleNetworkingError.decoding(let failure, let response)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(failure.type == "Person")
            #expect(failure.codingPath == "tags.1")
            #expect(failure.line == 5)
            #expect(response.text == wrong)
            #expect(response.request == head)
            #expect(response.httpStatus == 203)
            #expect(response.headers["X"] == "y")
            #expect(response.attempt == 2)
            #expect("\(failure)".hasPrefix("Person at tags.1 in line 5 ("))
        }
    }

    @Test
    func decodingErrorWithoutAResponseStillNamesThePlace() async {
        let (values, error) = await lines(Int.self, Chunks("1\n\nx")).all()
        #expect(values == [1])
        guard case SimpleNetworkingError.failed(let cause, nil, nil)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((cause as? SimpleNetworkingError.DecodingFailure)?.line == 3)
    }

    @Test
    func aLoneCarriageReturnEndsNoLine() async {
        #expect(await lines([Int].self, Chunks("[1,\r2]\n")).all().elements == [[1, 2]])
    }

    @Test
    @MainActor
    func actorIteratesOverNonSendableValues() async throws {
        var models: [Model] = []
        for try await model in lines(Model.self, Chunks(#"{"name": "a"}"#)) {
            MainActor.assertIsolated()
            models.append(model)
        }
        #expect(models.map(\.name) == ["a"])
    }
}
