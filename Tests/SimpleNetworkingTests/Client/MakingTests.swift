import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// What a request says, and what is sent.
@Suite(.timeLimit(.minutes(5)))
struct MakingTests {
    private let server = StubTransport().on("*", .json("{}"))
    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server, host: "api.example.com/v1")
    }

    private func sent(_ request: SimpleRequest) async throws -> TransportRequest {
        _ = try await request.ended().get()
        return try #require(server.requests.last)
    }

    @Test
    func everyVerbHasItsMethod() async throws {
        let requests = [
            client.get("/x"), client.post("/x"), client.put("/x"), client.patch("/x"), client.delete("/x"),
            client.head("/x"), client.options("/x"), client.request("PROPFIND", path: "/x"),
        ]
        for request in requests { await request.ended() }
        let methods = Set(server.requests.map(\.method.rawValue))
        #expect(methods == ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND"])
    }

    @Test
    func requestsMadeByTheTypeDoNothingUntilTheyAreExecuted() async throws {
        let requests = [
            SimpleNetworking.get("/x"), SimpleNetworking.post("/x"), SimpleNetworking.put("/x"),
            SimpleNetworking.patch("/x"), SimpleNetworking.delete("/x"), SimpleNetworking.head("/x"),
            SimpleNetworking.options("/x"), SimpleNetworking.request("REPORT", path: "/x"),
        ]
        #expect(server.requests.isEmpty)
        for request in requests { await request.execute(on: client).ended() }
        #expect(server.requests.count == 8)
    }

    @Test
    func requestsMadeByTheTypeTakeHandlersInAClosureToo() async throws {
        let heard = Recorder<Int>()
        let headers = ["X-Page": "2"]
        let request = SimpleNetworking.get("/x", query: ["page": 2, "tag": nil], headers: headers) {
            $0.on(success: { heard.add($0.httpStatus) })
        }
        #expect(server.requests.isEmpty)
        await request.execute(on: client).ended()
        #expect(heard.elements == [200])
    }

    /// Literals of several pairs had no type that Swift could find.
    @Test
    func queryComesAsALiteralOfAnyPairs() async throws {
        #expect(try await sent(client.get("/x", query: [("b", "2"), ("a", "1")])).url.query == "b=2&a=1")
        #expect(try await sent(client.post("/x", query: [("b", 2), ("a", "1")])).url.query == "b=2&a=1")
        #expect(try await sent(client.delete("/x", query: ["b": 2, "a": "1", "c": nil])).url.query == "a=1&b=2")
        #expect(try await sent(client.get("/x", query: [("b", [1, 2])]) { $0.timeout(9) }).url.query == "b=1&b=2")
        let request = SimpleNetworking.get("/x", query: [("b", "2"), ("a", "1")])
        #expect(try await sent(request.execute(on: client)).url.query == "b=2&a=1")
    }

    @Test
    func queryComesAsPairsDictionaryOrQuery() async throws {
        let pairs: [(String, String?)] = [("b", "2"), ("a", "1"), ("b", "3"), ("c", nil)]
        let dictionary: [String: String?] = ["b": "2", "a": "1", "c": nil]
        #expect(try await sent(client.get("/x", query: Query(pairs))).url.query == "b=2&a=1&b=3")
        #expect(try await sent(client.get("/x", query: Query(dictionary))).url.query == "a=1&b=2")
        #expect(try await sent(client.get("/x", query: [("b", "2"), ("a", nil)])).url.query == "b=2")
        #expect(try await sent(client.get("/x", query: ["b": "2", "a": nil])).url.query == "b=2")
        #expect(try await sent(client.get("/x", query: ["page": 2])).url.query == "page=2")
        #expect(try await sent(client.get("/x?z=0", query: Query.raw("a=b+c"))).url.query == "z=0&a=b+c")
        #expect(try await sent(client.get("/x") { $0.query([("a", "+ &")]) }).url.query == "a=%2B%20%26")
    }

    @Test
    func headersLieOverEachOtherWithoutRegardToCase() async throws {
        client.defaultHeaders = ["X-A": "client", "X-B": "client", "accept": "text/csv"]
        let sent = try await sent(
            client.get("/x", headers: ["x-a": "request"]) { $0.header("X-B", nil).header("X-C", "new") }
        )
        #expect(sent.headers["X-A"] == "request")
        #expect(!sent.headers.contains("X-B"))
        #expect(sent.headers["x-c"] == "new")
        #expect(sent.headers.values(for: "Accept") == ["text/csv"])
    }

    @Test
    func acceptPrefersJSONByDefault() async throws {
        #expect(try await sent(client.get("/x")).headers["Accept"] == "*/*;q=0.5, application/json")
        #expect(try await sent(client.get("/x") { $0.accept("image/png") }).headers["Accept"] == "image/png")
        #expect(try await sent(client.get("/x") { $0.header("Accept", nil) }).headers["Accept"] == nil)
    }

    @Test
    func contentTypeComesOnlyWithABody() async throws {
        #expect(try await sent(client.get("/x") { $0.contentType(.json) }).headers["Content-Type"] == nil)
        #expect(try await sent(client.post("/x")).headers["Content-Type"] == nil)
        #expect(try await sent(client.post("/x", body: ["a": 1])).headers["Content-Type"] == "application/json")
        let text = client.post("/x") { $0.body(text: "é").contentType("text/markdown") }
        #expect(try await sent(text).headers["Content-Type"] == "text/markdown")
        let form = try await sent(client.post("/x") { $0.body(form: [("a", "1 2")]) })
        #expect(form.headers["Content-Type"] == "application/x-www-form-urlencoded")
        client.headers["Content-Type"] = "application/vnd.api+json"
        let own = try await sent(client.post("/x", body: ["a": 1]))
        #expect(own.headers.values(for: "Content-Type") == ["application/vnd.api+json"])
    }

    @Test
    func contentOfEveryKindIsSentAsItsBytes() async throws {
        func bytes(_ build: (SimpleRequest) -> SimpleRequest) async throws -> String? {
            guard case .data(let data) = try await sent(client.post("/x", build)).body else { return nil }
            return String(data: data, encoding: .utf8)
        }
        #expect(
            try await bytes { $0.body(json: ["a": 1, "b": "x", "c": [true, NSNull()]]) }
                == #"{"a":1,"b":"x","c":[true,null]}"#
        )
        #expect(try await bytes { $0.body(json: [1, "two"]) } == #"[1,"two"]"#)
        #expect(try await bytes { $0.body(json: "text") } == #""text""#)
        #expect(try await bytes { $0.body("text") } == "text")
        #expect(try await bytes { $0.body(Data("raw".utf8)) } == "raw")
        #expect(try await bytes { $0.body(data: Data("raw".utf8), contentType: .octetStream) } == "raw")
        #expect(try await bytes { $0.body(form: ["b": "2 3", "a": "+"]) } == "a=%2B&b=2+3")
        #expect(try await bytes { $0.body(form: [("b", "1"), ("a", "2")]) } == "b=1&a=2")
        #expect(try await bytes { $0.body(form: [("b", 1), ("a", nil), ("a", true)]) } == "b=1&a=true")
        let pairs: [(String, String?)] = [("b", "1"), ("a", nil)]
        #expect(try await bytes { $0.body(form: Query(pairs)) } == "b=1")
        #expect(try await bytes { $0.body(data: nil, contentType: .json) } == nil)
    }

    @Test
    func contentThatCannotBeEncodedEndsTheRequestThroughItsHandlers() async throws {
        let errors = Recorder<String>()
        let request = client.post("/x") {
            $0.body(json: ["number": Double.nan]).on(isolation: nil, error: { errors.add(name(of: $0)) })
        }
        await request.ended()
        #expect(errors.elements == ["invalidRequest"])
        #expect(name(of: try #require(await client.post("/x", body: Double.nan).ended().error)) == "invalidRequest")
        #expect(server.requests.isEmpty)
    }

    @Test
    func aGetWithContentIsRefusedUnlessTheCallerInsists() async throws {
        #expect(name(of: try #require(await client.get("/x") { $0.body(text: "?") }.ended().error)) == "invalidRequest")
        let insisting = client.get("/x") { $0.body(text: "?").allowsBodyOnGet() }
        #expect(try await sent(insisting).method == .get)
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "a\0b"])
    func aHeaderThatWouldAddAnotherIsRefused(value: String) async throws {
        #expect(
            name(of: try #require(await client.get("/x") { $0.header("X-A", value) }.ended().error)) == "invalidRequest"
        )
        #expect(
            name(of: try #require(await client.get("/x") { $0.header(value, "a") }.ended().error)) == "invalidRequest"
        )
        client.headers["X-A"] = value
        #expect(name(of: try #require(await client.get("/x").ended().error)) == "invalidRequest")
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["", "bad host", "a b.example", "user:pass@api.example.com", "[::1"])
    func aHostThatIsNoneEndsEveryRequest(host: String) async throws {
        let client = SimpleNetworking(over: server, host: host)
        let error = try #require(await client.get("/x").ended().error)
        #expect(name(of: error) == "invalidURL")
        #expect(!"\(error)".contains("pass@"))
        #expect(server.requests.isEmpty)
    }

    @Test
    func headersChangedFromManyThreadsAreAllKept() throws {
        DispatchQueue.concurrentPerform(iterations: 2000) { client.headers["h\($0)"] = "v" }
        #expect(client.defaultHeaders.count == 2000)
        DispatchQueue.concurrentPerform(iterations: 2000) { client.headers["h\($0)"] = nil }
        #expect(client.headers.isEmpty)
    }

    @Test
    func anAcceptableStatusThatAHandlerKeepsRejectingIsNotCalledUnacceptable() async throws {
        let client = SimpleNetworking(over: StubTransport().on("/job", .status(202))) { $0.maxRetries = 1 }
        let request = client.get("/job") {
            $0.on(httpStatus: 202) { request, _ in
                request.retry()
                return false
            }
        }
        let error = try #require(await request.ended().error)
        #expect("\(error)" == "GET https://api.example.com/job got status 202, and is not retried again.")
    }

    @Test
    func acceptableStatusesDecideWhatASuccessIs() async throws {
        let client = SimpleNetworking(over: StubTransport().on("*", .status(404)))
        #expect(await client.get("/x").ended().error?.httpStatus == 404)
        #expect(await client.get("/x") { $0.acceptable(statuses: [200, 404]) }.ended().value?.httpStatus == 404)
        #expect(
            await client.get("/x") { $0.acceptable(statuses: HTTPStatuses(400..<500)) }.ended().value?.httpStatus == 404
        )
        #expect(await client.get("/x") { $0.acceptable(statuses: .clientError) }.ended().value?.httpStatus == 404)
    }

    @Test
    func aCopyIsAFreshRequestWithTheSameHandlers() async throws {
        let runs = Recorder<Int>()
        let request = client.get("/x", query: ["a": "1"]) { $0.on(isolation: nil, success: { runs.add($0.attempt) }) }
        await request.ended()
        let copy = request.copy()
        #expect(copy.attempt == 0)
        #expect(copy != request)
        await copy.execute(on: client).ended()
        #expect(runs.elements == [1, 1])
        #expect(server.requests.map(\.url.query) == ["a=1", "a=1"])
    }

    @Test
    func descriptionsAreOneLine() throws {
        let client = SimpleNetworking(over: server, host: "api.example.com/v1?key=s3cret")
        #expect("\(client)" == "SimpleNetworking(https://api.example.com/v1?key=‹secret›)")
        #expect("\(SimpleNetworking.post("/x?token=s3cret&a=1"))" == "POST /x?token=‹secret›&a=1")
    }
}
