import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

private func audit(_ line: String, _ outcome: Result<SimpleResponse, SimpleNetworkingError>) {
    audited.add("\(line) \(outcome.value?.httpStatus ?? 0)")
}

private let audited = Recorder<String>()

class AuditedAPI: SimpleNetworking, @unchecked Sendable {
    override func execute(request: SimpleRequest) {
        if request.attempt == 0 {
            request.on(completion: { [method = request.method] outcome in audit("\(method)", outcome) })
        }
        super.execute(request: request)
    }
}

/// Runs the samples of the article “Recipes”.
@Suite(.timeLimit(.minutes(5)))
struct RecipesSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    private let ada = #"{"id": 1, "name": "Ada"}"#

    private func end(_ lines: [String]) async throws {
        let printed = printed
        try await eventually { printed.elements.count >= lines.count }
        #expect(printed.elements == lines)
    }

    private func sent(_ count: Int) async throws -> [TransportRequest] {
        let server = server
        try await eventually { server.requests.count >= count }
        return server.requests
    }

    @Test
    func queriesAndPathsAreEncoded() async throws {
        let (api, name) = (client(), "a/b?")
        server.on("*", .json("{}"))
        api.get("/search", query: ["q": "tea & milk", "page": 2, "tag": nil])
        api.get("/search", query: ["tag": ["new", "sale"]])
        api.get("/search", query: [("tag[]", "new"), ("tag[]", "sale")])
        api.get("/search", query: .raw("q=green+tea&sort=name"))
        api.get("/users/\(segment: name)/notes")
        let urls = try await sent(5).map { $0.url.absoluteString.dropFirst("https://api.example.com".count) }
        #expect(
            Set(urls) == [
                "/search?page=2&q=tea%20%26%20milk", "/search?tag=new&tag=sale",
                "/search?tag%5B%5D=new&tag%5B%5D=sale", "/search?q=green+tea&sort=name", "/users/a%2Fb%3F/notes",
            ]
        )
    }

    @Test
    func fieldsAndMethodsAreSent() async throws {
        let api = client()
        server.on("*", .json("{}"))
        api.headers["Authorization"] = "t"
        api.headers["X-Account"] = "7"
        api.get("/public") { $0.header("Authorization", nil).header("X-Mode", "guest") }
        api.request("PROPFIND", path: "/files") { $0.header("Depth", "1") }
        let requests = try await sent(2).sorted { $0.url.path > $1.url.path }
        #expect(requests.map { $0.headers["Authorization"] } == [nil, "t"])
        #expect(requests.map { $0.headers["X-Account"] } == ["7", "7"])
        #expect(requests[0].headers["X-Mode"] == "guest")
        #expect(requests[1].method == "PROPFIND" && requests[1].headers["Depth"] == "1")
    }

    @Test
    func keysAndDatesAreConverted() throws {
        struct Member: Codable {
            var firstName: String
            var born: Date?
            var photoId: Int?
            var photoID: Int?
        }
        let encoder = JSONEncoder.standard
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let decoder = JSONDecoder.standard
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        let api = SimpleNetworking(host: "api.example.com") { ($0.encoder, $0.decoder) = (encoder, decoder) }
        let text = String(decoding: try api.configuration.encoder.encode(Member(firstName: "Ada")), as: UTF8.self)
        #expect(text == #"{"first_name":"Ada"}"#)
        let member = Data(#"{"first_name":"Ada","born":60,"photo_id":7}"#.utf8)
        let decoded = try api.configuration.decoder.decode(Member.self, from: member)
        #expect(decoded.born == Date(timeIntervalSince1970: 60))
        #expect((decoded.photoId, decoded.photoID) == (7, nil))
    }

    @Test
    func basicCredentialsAreSent() async throws {
        let (api, password) = (client(), "p")
        server.on("/report", .status(204))
        api.authenticate(with: "ada", password: password)
        api.get("/report") { $0.authenticateBasic(user: "guest", password: "") }
        try await api.send(.get("/report"))
        #expect(try await Set(sent(2).map { $0.headers["Authorization"] }) == ["Basic Z3Vlc3Q6", "Basic YWRhOnA="])
    }

    @Test
    func anEnvelopeIsOpened() async throws {
        let api = client()
        server.on("/user", .json(#"{"data": \#(ada)}"#))
        struct Envelope<Value: Decodable & Sendable>: Decodable, Sendable { var data: Value }

        let user = try await api.send(Request<Envelope<User>>.get("/user")).value.data
        #expect(user.name == "Ada")
    }

    @Test(arguments: [
        (StubResponse.json(#"{"message": "no name"}"#, status: 422), "no name"),
        (
            .status(500),
            "POST https://api.example.com/users failed on the server with status 500. Trying again later may help."
        ),
    ])
    func theServersMessageIsShown(response: StubResponse, line: String) async throws {
        let api = client()
        server.on("/users", response)
        struct Problem: Decodable, Sendable { var message: String }

        api.post("/users", body: ["name": ""]) { request in
            request.on(error: Problem.self) { error, problem, _ in print(problem?.message ?? error.localizedDescription)
            }
        }
        try await end([line])
    }

    @Test
    func a202IsPolled() async throws {
        let clock = VirtualClock()
        let api = client { $0.clock = clock }
        server.on("/report", .status(202), times: 2).on("/report", .text("the report"))
        api.get("/report") { request in
            request
                .on(httpStatus: 202) { request, _ in
                    request.retry(after: 5)
                    return false
                }
                .on(success: { response in print(response.text ?? "") })
        }
        for _ in 1...2 {
            while !clock.alarms.contains(5) { await Task.yield() }
            clock.advance(by: 5)
        }
        try await end(["the report"])
    }

    @Test
    func aButtonTriesAgain() async throws {
        let api = client()
        server.on("/feed", .failure(NetworkFailure(.offline)), times: 1).on("/feed", .json("[]"))
        func offer(_ title: String, _ message: String, _ tap: @escaping () -> Void) { tap() }
        api.get("/feed") { request in
            request
                .on(noResponse: { request, error in
                    offer("Try again", error.localizedDescription) { request.retry() }
                    return false
                })
                .on(success: { _ in print("the feed") })
        }
        try await end(["the feed"])
    }

    @Test
    func aHandlerIsAddedOnce() async throws {
        let api = AuditedAPI(host: "api.example.com") { $0.transport = server }
        server.on("/x", .status(204))
        await api.get("/x").ended()
        #expect(audited.elements == ["GET 204"])
    }
}
