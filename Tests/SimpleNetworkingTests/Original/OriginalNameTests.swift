import Foundation
import SimpleNetworking
import SimpleNetworkingOriginal
import SimpleNetworkingTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The names of the original SimpleNetworking, which still compile.
@Suite(.timeLimit(.minutes(5)))
struct OriginalNameTests {
    private let server = StubTransport().on("*", .json(#"{"name": "Ada"}"#))
    // Called as a requirement, so that the tests compile without a warning.
    private let uses: any OriginalUses = Uses()

    private func client() -> SimpleNetworking {
        SimpleNetworking(host: "api.example.com") { $0.transport = server }
    }

    @Test
    func requestsOfTheOriginalAreSentAsItSentThem() async throws {
        let api = client()
        for request in uses.executed(on: api) { await request.ended() }
        for request in uses.made() { await request.execute(on: api).ended() }
        // The executed ones run at the same time.
        #expect(server.log.sorted() == ["GET /x", "GET /x", "GET /x", "GET /x", "POST /x", "POST /x"])
        #expect(server.requests.count { $0.url.query == "id=7" } == 5)
        #expect(server.requests.allSatisfy { $0.headers["X-A"] == "b" })
        let posts = server.requests.filter { $0.method == .post }
        #expect(posts.allSatisfy { $0.headers["Content-Type"] == "application/json" && $0.text == "[1]" })
    }

    @Test
    func aResponseOfTheOriginalDecodesToNilWhereContentDoesNotFit() async throws {
        let response = try await client().send(SimpleNetworking.get("/x"))
        #expect(uses.name(in: response) == "Ada")
        #expect(uses.number(in: response) == nil)
    }

    @Test(arguments: [(200, true), (404, false)])
    func aResponseIsMadeOfWhatURLSessionGave(status: Int, isSuccess: Bool) throws {
        let url = try #require(URL(string: "https://api.example.com/x"))
        let given = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: ["X-A": "b"])
        let response = try #require(uses.response(data: Data("ab".utf8), from: given))
        #expect(response.httpStatus == status)
        #expect(response.headers["X-A"] == "b")
        #expect(response.text == "ab")
        #expect(uses.success(of: response) == isSuccess)
        #expect(uses.response(data: nil, from: nil) == nil)
    }
}

private protocol OriginalUses {
    func executed(on api: SimpleNetworking) -> [SimpleRequest]
    func made() -> [SimpleRequest]
    func name(in response: SimpleResponse) -> String?
    func number(in response: SimpleResponse) -> Int?
    func response(data: Data?, from response: HTTPURLResponse?) -> SimpleResponse?
    func success(of response: SimpleResponse) -> Bool
}

private struct Uses: OriginalUses {
    private struct User: Decodable { let name: String }

    @available(*, deprecated)
    func executed(on api: SimpleNetworking) -> [SimpleRequest] {
        [
            api.get("/x", queryParams: ["id": "7"], headers: ["X-A": "b"]) { $0 },
            api.get("/x", queryParams: nil, headers: ["X-A": "b"]) { (request) in request.accept(.json) },
            api.post("/x", body: Data("[1]".utf8), queryParams: ["id": "7"]) { $0.headers(["X-A": "b"]) },
        ]
    }

    @available(*, deprecated)
    func made() -> [SimpleRequest] {
        let query: [String: String?] = ["id": "7"]
        return [
            SimpleNetworking.get("/x", queryParams: query, headers: ["X-A": "b"]),
            SimpleNetworking.get("/x", queryParams: query).header("X-A", "b"),
            SimpleNetworking.post("/x", body: Data("[1]".utf8), queryParams: query, headers: ["X-A": "b"]),
        ]
    }

    @available(*, deprecated)
    func name(in response: SimpleResponse) -> String? {
        let user: User? = response.decodeJSON()
        return user?.name
    }

    @available(*, deprecated)
    func number(in response: SimpleResponse) -> Int? { response.decodeJSON(using: JSONDecoder()) }

    @available(*, deprecated)
    func response(data: Data?, from response: HTTPURLResponse?) -> SimpleResponse? {
        SimpleResponse(data: data, response: response)
    }

    @available(*, deprecated)
    func success(of response: SimpleResponse) -> Bool { response.success }
}
