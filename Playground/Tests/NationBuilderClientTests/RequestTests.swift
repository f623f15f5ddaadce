import ClientTestSupport
import DemoServer
import Foundation
import NationBuilderClient
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// NB-13 to NB-24: requests, and what the delegate decides before they are sent.
@Suite(.timeLimit(.minutes(1)))
struct RequestTests {
    // NB-13, NB-15
    @Test(arguments: Engine.allCases)
    func everyRequestHasTenSecondsAndTheFields(engine: Engine) async throws {
        try await withNation { server, url in
            let nation = NationBuilder(slug: "abe", apiKey: "demo-key", baseURL: url, configure: engine.select)
            #expect(try await nation.sent(.person(1)).timeout == 10)
            try await nation.call(.person(1))
            let fields = try #require(await server.log.headers.last)
            #expect(fields["accept"] == "application/json" && fields["content-type"] == "application/json")
            #expect(fields["x-nb-client"] == "iOS/1.3.1")
        }
    }

    // NB-16
    @Test
    func parametersGoToTheQueryOfAGetAndToTheContentOfAllOthers() async throws {
        let nation = NationBuilder(StubTransport(), apiKey: "k")
        let got = try await nation.sent(NationEndpoint<NoResults>.fetch("/x", ["a": 1]))
        #expect(got.url.query == "a=1&access_token=k" && got.text == "")
        for endpoint: NationEndpoint<NoResults> in [
            .create("/x", ["a": 1]), .save("/x", ["a": 1]), .delete("/x", ["a": 1]),
        ] {
            let request = try await nation.sent(endpoint)
            #expect(request.url.query == "access_token=k" && request.text == #"{"a":1}"#)
        }
    }

    // NB-17
    @Test
    func ofTwoParametersTheLaterOneWins() async throws {
        let nation = NationBuilder(StubTransport(), apiKey: "k")
        var page = NationPagination()
        page.nextPage = "/api/v1/people?__token=t&limit=5&access_token=old&token_paginator=0"
        let url = try await nation.sent(.people(), page: page).url
        #expect(url.query == "__token=t&access_token=k&limit=5&token_paginator=1")
        let own = NationEndpoint<NoResults>.fetch("/people", ["limit": 7, "access_token": "mine", "__token": "u"])
        let other = try await nation.sent(own, page: page).url
        #expect(other.query == "__token=u&access_token=mine&limit=7&token_paginator=1")
    }

    // NB-18
    @Test
    func theQueryIsSortedAndEncodedToTheLastReservedCharacter() async throws {
        let nation = NationBuilder(StubTransport(), apiKey: "k")
        nation.sendsKeyAsHeader = true
        nation.usesTokenPagination = false
        let query: Query = ["name": "Foo Bar", "age": 1, "email": "foo@bar.com"]
        let url = try await nation.sent(NationEndpoint<NoResults>.fetch("/x", query)).url
        #expect(url.query == "age=1&email=foo%40bar.com&name=Foo%20Bar")
        let marks = try await nation.sent(NationEndpoint<NoResults>.fetch("/x", ["B": ":/?&=;+!@#$()',*", "a": "ä"]))
        #expect(marks.url.query == "a=%C3%A4&B=%3A%2F%3F%26%3D%3B%2B%21%40%23%24%28%29%27%2C%2A")
    }

    // NB-19
    @Test
    func aValueOfAQueryStaysText() {
        let pairs = NationPagination.pairs(of: "/p?__nonce=0042&v=1.2.3&e=&n%20m=a%26b&flag&limit=5")
        #expect(pairs.map(\.0) == ["__nonce", "v", "e", "n m", "limit"])
        #expect(pairs.map(\.1) == ["0042", "1.2.3", "", "a&b", "5"])
    }

    // NB-20, NB-21
    @Test
    func contentThatCannotBeEncodedEndsTheCallWithoutTheDelegate() async {
        let nation = NationBuilder(StubTransport())
        let observer = Observer()
        nation.delegate = observer
        let endpoint = NationEndpoint<NoResults>.create("/x", ["a": Double.nan])
        let returned = Lines()
        let result = await value { done in
            let request = nation.call(endpoint) {
                returned.add("completion on main: \(DispatchQueue.isMain)")
                done($0)
            }
            returned.add("returned \(request.method)")
        }
        guard case .failure(.invalidRequest) = result else { Issue.record("\(result)"); return }
        #expect(returned.all.first == "returned POST" || returned.all.last == "returned POST")
        #expect(returned.all.contains("completion on main: true"))
        #expect(observer.lines.all == ["start"])
    }

    // NB-22
    @Test
    func aCallThatTheDelegateHoldsBackIsExecutedLater() async {
        let server = StubTransport().on("*", .json(#"{"person": {"id": 5}}"#))
        let nation = NationBuilder(server)
        let observer = Observer(refusing: "start")
        nation.delegate = observer
        let result: Result<NationResponse<Person>, SimpleNetworkingError> = await value { done in
            let request = nation.call(.person(5)) { done($0) }
            #expect(server.log.isEmpty)
            request.execute(on: nation)
        }
        #expect((try? result.get())?.value?.id == 5)
    }

    // NB-23, NB-24
    @Test
    func theDelegateChangesTheRequestLast() async throws {
        let server = StubTransport().on("*", .json("{}"))
        let nation = NationBuilder(server)
        let observer = Observer(refusing: "method")
        nation.delegate = observer
        _ = await value { done in nation.call(NationEndpoint<NoResults>.create("/x", ["a": 1])) { done($0) } }
        #expect(observer.lines.all == ["start", #"send POST {"a":1}"#, "response", "parsed"])
        #expect(server.requests.first?.headers["X-Seen"] == "yes")
        #expect(server.requests.first?.method == "SEARCH")
    }
}
