import ClientTestSupport
import Foundation
import NationBuilderClient
import SimpleNetworking
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import Testing

/// Responses of the service that differ from its documentation.
@Suite(.timeLimit(.minutes(1)))
struct ReadableResultTests {
    private func call<Value>(
        _ endpoint: NationEndpoint<Value>,
        _ response: StubResponse
    ) async throws
        -> NationResponse<Value>
    {
        try await NationBuilder(StubTransport().on("*", response)).call(endpoint)
    }

    // NB-66
    @Test(arguments: [
        (#""yes""#, "yes"), ("3", "3"), ("2.5", "2.5"), ("true", "true"), ("null", nil), (#"["a",1]"#, #"["a",1]"#),
    ])
    func aSurveyResponseMayBeATextANumberOrNull(json: String, text: String?) async throws {
        let row = #"{"person_id": 1, "survey_id": 2, "question_responses": [{"question_id": 3, "response": \#(json)}]}"#
        let response = try await call(.responses(toSurvey: 2), .json(#"{"results": [\#(row)]}"#))
        #expect(
            response.value == [
                SurveyResponse(personId: 1, questionResponses: [.init(questionId: 3, response: text)], surveyId: 2)
            ]
        )
        #expect(response.unreadable.isEmpty)
    }

    // NB-66
    @Test
    func aQuestionWithoutAResponseIsDecodedAndSentWithoutOne() async throws {
        let row = #"{"person_id": 1, "survey_id": 2, "question_responses": [{"question_id": 3}]}"#
        let response = try await call(.responses(toSurvey: 2), .json(#"{"results": [\#(row)]}"#))
        #expect(response.value?.first?.questionResponses == [QuestionResponse(questionId: 3, response: nil)])
    }

    // NB-62
    @Test(arguments: [
        (#""c""#, "c"), ("null", nil),
        (
            #"{"some_kind": "x", "author": {"id": 7, "is_ok": true}, "tags": [1, null]}"#,
            #"{"author":{"id":7,"is_ok":true},"some_kind":"x","tags":[1,null]}"#
        ),
    ])
    func capitalsContentMayBeATextOrAnObject(json: String, text: String?) async throws {
        let response = try await call(
            .capitals(of: 5),
            .json(#"{"results": [{"id": 1, "amount_in_cents": 10, "content": \#(json)}]}"#)
        )
        #expect(response.value == [Capital(id: 1, amountInCents: 10, content: text)])
    }

    @Test
    func anUnreadableRowIsLeftOutOfTheList() async throws {
        let list = #"{"results": [{"id": 1}, {"id": "two"}, null, {"id": 3}], "next": null}"#
        let response = try await call(.people(), .json(list))
        #expect(response.value?.map(\.id) == [1, 3])
        #expect(response.unreadable.map(\.type) == ["Person", "Person"])
        #expect(response.unreadable.first?.codingPath.contains("id") == true)
        let nation = NationBuilder(StubTransport().on("*", .json(list)))
        let result = await value { done in nation.call(.people()) { done($0.map { $0.value?.map(\.id) ?? [] }) } }
        #expect(try result.get() == [1, 3])
        var ids: [UInt?] = []
        for try await page in nation.pages(.people()) { ids += page.items.map(\.id) }
        #expect(ids == [1, 3])
    }

    @Test(arguments: [
        (201, #"{"person": {"id": "five"}}"#), (201, #"{"person": 5}"#), (200, "{}"), (201, ""), (201, "<html>"),
    ])
    func aStoredObjectThatCannotBeDecodedIsASuccess(status: Int, content: String) async throws {
        let response = StubResponse.data(Data(content.utf8), type: "application/json", status: status)
        for endpoint: NationEndpoint<Person> in [.create(Person(firstName: "A")), .save(Person(), as: 5)] {
            let stored = try await call(endpoint, response)
            #expect(stored.value == nil && stored.response.httpStatus == status)
            #expect(stored.unreadable.isEmpty == content.isEmpty)
            let nation = NationBuilder(StubTransport().on("*", response))
            let result = await value { done in nation.call(endpoint) { done($0.map { $0.response.httpStatus }) } }
            #expect(try result.get() == status)
        }
    }

    // NB-37, NB-39
    @Test
    func aRejectionByTheServiceIsAnError() async throws {
        for response in [StubResponse.json(#"{"code": "busy"}"#, status: 201), .status(500), .status(409)] {
            await #expect(throws: SimpleNetworkingError.self) { try await call(.create(Person()), response) }
        }
        // Nothing was stored here, so unreadable content is an error.
        await #expect(throws: SimpleNetworkingError.self) { try await call(.person(5), .json(#"{"person": 5}"#)) }
    }
}
