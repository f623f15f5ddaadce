import SimpleNetworking
import SimpleNetworkingOriginal
import SimpleNetworkingTesting
import Testing

/// The names of the original SimpleNetworking, which still compile.
@Suite(.timeLimit(.minutes(5)))
struct OriginalNameTests {
    private let server = StubTransport().on("*", .json(#"{"name": "Ada"}"#))

    @Test
    func theNamesOfTheOriginalDoWhatTheNewOnesDo() async throws {
        let api = SimpleNetworking(host: "api.example.com") { $0.transport = server }
        // Called as a requirement, so that the tests compile without a warning.
        let uses: any OriginalUses = Uses(api: api)
        for request in uses.executed() { await request.ended() }
        for request in uses.made() { await request.execute(on: api).ended() }
        // The executed ones run at the same time.
        let verbs = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]
        #expect(server.log.sorted() == (verbs + verbs).map { "\($0) /x" }.sorted())
        #expect(server.requests.allSatisfy { $0.url.query == "id=7" && $0.headers["X-A"] == "b" })
        #expect(try uses.name(in: await api.send(SimpleNetworking.get("/x"))) == "Ada")
    }
}

private protocol OriginalUses {
    func executed() -> [SimpleRequest]
    func made() -> [SimpleRequest]
    func name(in response: SimpleResponse) throws -> String
}

private struct Uses: OriginalUses {
    struct User: Decodable { let name: String }

    let api: SimpleNetworking

    @available(*, deprecated)
    func executed() -> [SimpleRequest] {
        let (id, field) = (["id": "7"], ["X-A": "b"])
        return [
            api.get("/x", queryParams: id, headers: field),
            api.head("/x", queryParams: id, headers: field),
            api.options("/x", queryParams: id, headers: field),
            api.post("/x", queryParams: id, headers: field),
            api.put("/x", queryParams: id, headers: field) { $0 },
            api.patch("/x", queryParams: id, headers: field, body: "content"),
            api.delete("/x", queryParams: id, headers: field),
        ]
    }

    @available(*, deprecated)
    func made() -> [SimpleRequest] {
        let (id, field) = (["id": "7"], ["X-A": "b"])
        return [
            SimpleNetworking.get("/x", queryParams: id, headers: field),
            SimpleNetworking.head("/x", queryParams: id, headers: field),
            SimpleNetworking.options("/x", queryParams: id, headers: field),
            SimpleNetworking.post("/x", queryParams: id, headers: field),
            SimpleNetworking.put("/x", queryParams: id, headers: field),
            SimpleNetworking.patch("/x", queryParams: id, headers: field, body: "content"),
            SimpleNetworking.delete("/x", queryParams: id, headers: field),
        ]
    }

    @available(*, deprecated)
    func name(in response: SimpleResponse) throws -> String {
        let user: User = try response.decodeJSON()
        return user.name
    }
}
