import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

struct HTTPHeadersTests {
    @Test
    func aNameIsFoundInAnyCase() {
        var headers: HTTPHeaders = ["Content-Type": "a/b"]
        #expect(headers["content-TYPE"] == "a/b")
        headers["CONTENT-type"] = "c/d"
        #expect(headers.fields == [.init("CONTENT-type", "c/d")])
        headers["content-type"] = nil
        #expect(headers.isEmpty)
    }

    @Test(arguments: [
        ("a-b", "A-B", true), ("a@", "a`", false), ("a[", "a{", false), ("ab", "abc", false), ("", "", true),
    ])
    func onlyLettersHaveCase(one: String, other: String, areSame: Bool) {
        #expect(one.isSameFieldName(as: other) == areSame)
    }

    @Test
    func repeatedFieldsAreKept() {
        var headers: HTTPHeaders = ["Set-Cookie": "a", "X": "1"]
        headers.append("set-cookie", "b, c")
        #expect(headers["Set-Cookie"] == "a, b, c")
        #expect(headers.values(for: "SET-COOKIE") == ["a", "b, c"])
        #expect(headers.names == ["Set-Cookie", "X"])
        #expect(headers.dictionary == ["Set-Cookie": "a, b, c", "X": "1"])
        headers["Set-Cookie"] = "d"
        #expect(headers.fields == [.init("Set-Cookie", "d"), .init("X", "1")])
    }

    @Test
    func mergingReplacesFieldsOfTheSameName() {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
        headers.merge(["a": "4", "A": "5", "C": "6"])
        #expect(headers.fields == [.init("B", "2"), .init("a", "4"), .init("A", "5"), .init("C", "6")])
    }

    @Test
    func fieldsOfADictionaryAreSortedAndTheLastSpellingStays() {
        let headers = HTTPHeaders(["b": "1", "A": "2", "B": "0", "a": "3"])
        #expect(headers.fields == [.init("a", "3"), .init("b", "1")])
    }

    @Test
    func changesAreMadeToWhatIsThereNow() {
        var now: HTTPHeaders = ["A": "1", "B": "changed meanwhile", "D": "new"]
        let former: HTTPHeaders = ["A": "1", "B": "2", "C": "3"]
        now.apply(["a": "4", "B": "2", "E": "5"], to: former)
        #expect(now == ["B": "changed meanwhile", "D": "new", "A": "4", "E": "5"])
    }

    /// It held the client's lock while it waited, for good if another thread went on.
    @Test
    func aClientWorksWhileItsHeadersAreBeingChanged() async {
        func change(_ headers: inout HTTPHeaders, _ gate: Gate) async {
            try? await gate.wait()
            headers["X"] = "1"
        }
        let server = StubTransport().on("*", .json("{}"))
        let client = SimpleNetworking(host: "a.test") { $0.transport = server }
        let gate = Gate()
        let changing = Task.detached { await change(&client.headers, gate) }
        await gate.arrivals(1)
        client.headers["Y"] = "2"
        await client.get("/x").ended()
        gate.open()
        await changing.value
        await client.get("/x").ended()
        #expect(server.requests.map { $0.headers["X"] } == [nil, "1"])
        #expect(server.requests.map { $0.headers["Y"] } == ["2", "2"])
    }

    @Test
    func equalityIgnoresTheCaseAndTheOrderOfNames() {
        let one: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
        #expect(one == ["b": "2", "a": "1", "A": "3"])
        #expect(one != ["b": "2", "a": "3", "A": "1"])
        #expect(one != ["b": "2", "a": "1"])
        #expect(one.hashValue == (["b": "2", "a": "1", "A": "3"] as HTTPHeaders).hashValue)
    }

    @Test
    func aDescriptionHidesSecrets() {
        #expect(
            "\(["Accept": "a/b", "Authorization": "hunter2"] as HTTPHeaders)" == "Accept: a/b\nAuthorization: ‹secret›"
        )
    }
}
