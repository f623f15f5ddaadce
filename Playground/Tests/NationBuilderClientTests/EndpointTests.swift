import Foundation
import NationBuilderClient
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// NB-60 to NB-67: each endpoint's method, URL, content and results key.
@Suite(.timeLimit(.minutes(1)))
struct EndpointTests {
    /// Calls an endpoint on a server with only one results key, and returns the request.
    private func check<Value>(
        _ endpoint: NationEndpoint<Value>,
        _ asked: String,
        _ body: String = "",
        at key: String? = nil,
        of results: String = "{}",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let response: StubResponse = key.map { .json(#"{"\#($0)": \#(results)}"#) } ?? .status(204)
        let server = StubTransport().on("*", response)
        let nation = NationBuilder(server)
        nation.sendsKeyAsHeader = true
        nation.usesTokenPagination = false
        let value = try await nation.call(endpoint).value
        #expect((value != nil) == (key != nil), sourceLocation: sourceLocation)
        let request = try #require(server.requests.first)
        let query = request.url.query.map { "?" + $0 } ?? ""
        let components = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
        let path = (components?.percentEncodedPath ?? "").replacingOccurrences(of: "/api/v1", with: "")
        #expect("\(request.method) \(path)\(query)" == asked, sourceLocation: sourceLocation)
        #expect(request.text == body, sourceLocation: sourceLocation)
    }

    // NB-60
    @Test
    func peopleAreFetchedAndChanged() async throws {
        try await check(.people(), "GET /people", at: "results", of: "[]")
        try await check(.peopleCount(), "GET /people/count", at: "people_count", of: "3")
        try await check(.person(5), "GET /people/5", at: "person")
        try await check(.search(["city": "LA"]), "GET /people/search?city=LA", at: "results", of: "[]")
        let near = NationEndpoint.people(nearLatitude: 34.5, longitude: -118.25)
        try await check(near, "GET /people/nearby?distance=1&location=34.5%2C-118.25", at: "results", of: "[]")
        let far = NationEndpoint.people(nearLatitude: 1, longitude: 2, within: 9)
        try await check(far, "GET /people/nearby?distance=9&location=1.0%2C2.0", at: "results", of: "[]")
        try await check(.me(), "GET /people/me", at: "person")
        try await check(.register(5), "GET /people/5/register")
        try await check(.match(["email": "a@b.c"]), "GET /people/match?email=a%40b.c", at: "person")
        let abe = Person(firstName: "Abe")
        try await check(.create(abe), "POST /people", #"{"person":{"first_name":"Abe"}}"#, at: "person")
        try await check(.save(abe, as: 5), "PUT /people/5", #"{"person":{"first_name":"Abe"}}"#, at: "person")
        try await check(.deletePerson(5), "DELETE /people/5")
    }

    // NB-61
    @Test
    func tagsAreAddedAndRemoved() async throws {
        try await check(.taggings(of: 5), "GET /people/5/taggings", at: "taggings", of: "[]")
        let one = NationEndpoint.tag(5, with: "x")
        try await check(
            one,
            "PUT /people/5/taggings",
            #"{"tagging":{"tag":"x"}}"#,
            at: "tagging",
            of: #"{"tag": "x"}"#
        )
        let two = try NationEndpoint.tag(5, with: ["a", "b"])
        let content = #"{"tagging":{"tag":["a","b"]}}"#
        try await check(two, "PUT /people/5/taggings", content, at: "taggings", of: "[]")
        try await check(.untag(5, from: "a/b ?ü"), "DELETE /people/5/taggings/a%2Fb%20%3F%C3%BC")
        try await check(.untag(5, from: ["a", "b"]), "DELETE /people/5/taggings", content)
    }

    // NB-61
    @Test
    func noTagsAreAnErrorAndNoCrash() {
        let first = #expect(throws: NationError.self) { try NationEndpoint.tag(5, with: []) }
        let second = #expect(throws: NationError.self) { try NationEndpoint.untag(5, from: []) }
        #expect(first?.code == .invalidArgument && second?.code == .invalidArgument)
    }

    // NB-62
    @Test
    func capitalAndNotesAreAddedAndRemoved() async throws {
        try await check(.capitals(of: 5), "GET /people/5/capitals", at: "results", of: "[]")
        let capital = NationEndpoint.add(Capital(amountInCents: 10, content: "c"), to: 5)
        let content = #"{"capital":{"amount_in_cents":10,"content":"c"}}"#
        try await check(
            capital,
            "POST /people/5/capitals",
            content,
            at: "capital",
            of: #"{"amount_in_cents": 10}"#
        )
        try await check(.deleteCapital(7, of: 5), "DELETE /people/5/capitals/7")
        let note = NationEndpoint.add(Note(content: "n"), to: 5)
        try await check(
            note,
            "POST /people/5/notes",
            #"{"note":{"content":"n"}}"#,
            at: "note",
            of: #"{"content": "n"}"#
        )
    }

    // NB-63
    @Test
    func contactsAreAddedAndTheirOptionsFetched() async throws {
        try await check(.contacts(of: 5), "GET /people/5/contacts", at: "results", of: "[]")
        let contact = Contact(
            broadcasterId: 1,
            method: "door",
            note: "n",
            senderId: 2,
            status: "answered",
            typeId: 3
        )
        let content =
            #"{"contact":{"broadcaster_id":1,"method":"door","note":"n","sender_id":2,"status":"answered","type_id":3}}"#
        try await check(.add(contact, to: 5), "POST /people/5/contacts", content, at: "contact")
        try await check(.contactTypes(), "GET /settings/contact_types", at: "results", of: "[]")
        try await check(.contactMethods(), "GET /settings/contact_methods", at: "results", of: "[]")
        try await check(.contactStatuses(), "GET /settings/contact_statuses", at: "results", of: "[]")
    }

    // NB-64
    @Test
    func donationsAreFetchedAndChanged() async throws {
        try await check(.donations(), "GET /donations", at: "results", of: "[]")
        let donation = Donation(amountInCents: 100, donorId: 5, paymentTypeName: "Cash")
        let content = #"{"donation":{"amount_in_cents":100,"donor_id":5,"payment_type_name":"Cash"}}"#
        let result = #"{"amount_in_cents": 100}"#
        try await check(.create(donation), "POST /donations", content, at: "donation", of: result)
        try await check(.save(donation, as: 9), "PUT /donations/9", content, at: "donation", of: result)
        try await check(.deleteDonation(9), "DELETE /donations/9")
    }

    // NB-65
    @Test
    func listsSitesAndTagsAreFetched() async throws {
        try await check(.lists(), "GET /lists", at: "results", of: "[]")
        try await check(.people(ofList: 3), "GET /lists/3/people", at: "results", of: "[]")
        try await check(.add([1, 2], toList: 3), "POST /lists/3/people", #"{"people_ids":[1,2]}"#)
        try await check(.remove([1, 2], fromList: 3), "DELETE /lists/3/people", #"{"people_ids":[1,2]}"#)
        try await check(.sites(), "GET /sites", at: "results", of: "[]")
        try await check(.tags(), "GET /tags", at: "results", of: "[]")
        try await check(.people(taggedWith: "a/b"), "GET /tags/a%2Fb/people", at: "results", of: "[]")
    }

    // NB-66
    @Test
    func surveysAreFetchedChangedAndResponsesAdded() async throws {
        let path = "/sites/abe/pages/surveys"
        try await check(.surveys(ofSite: "abe"), "GET \(path)", at: "results", of: "[]")
        let survey = Survey(name: "S")
        let content = #"{"survey":{"name":"S"}}"#
        let result = #"{"name": "S"}"#
        try await check(.create(survey, onSite: "abe"), "POST \(path)", content, at: "survey", of: result)
        try await check(.save(survey, as: 4, onSite: "abe"), "PUT \(path)/4", content, at: "survey", of: result)
        try await check(.deleteSurvey(4, onSite: "abe"), "DELETE \(path)/4")
        let responses = NationEndpoint.responses(toSurvey: 4)
        try await check(responses, "GET /survey_responses?survey_id=4", at: "results", of: "[]")
        let surveyResponse = SurveyResponse(
            personId: 5,
            questionResponses: [QuestionResponse(questionId: 6, response: "yes")],
            surveyId: 4
        )
        let sent =
            #"{"person_id":5,"question_responses":[{"question_id":6,"response":"yes"}],"survey_id":4}"#
        try await check(
            .create(surveyResponse),
            "POST /survey_responses",
            #"{"survey_response":\#(sent)}"#,
            at: "survey_response",
            of: sent
        )
    }

    // NB-67
    @Test
    func anythingElseCanBeCalledByItsPath() async throws {
        let body = ["a": "b"]
        let fetch = NationEndpoint<[String: Int]>.fetch("/x", ["q": 1], at: "r")
        try await check(fetch, "GET /x?q=1", at: "r")
        let create = NationEndpoint<[String: Int]>.create("/x", body, at: "r")
        try await check(create, "POST /x", #"{"a":"b"}"#, at: "r")
        try await check(NationEndpoint<NoResults>.save("/x", body), "PUT /x", #"{"a":"b"}"#)
        try await check(NationEndpoint<NoResults>.delete("/x"), "DELETE /x")
    }
}
