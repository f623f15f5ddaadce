import Foundation
import SimpleNetworking
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

private typealias Client = SimpleNetworking

/// Runs the samples of the article “Recipes: responses”.
@Suite(.timeLimit(.minutes(5)))
struct RecipesResponsesSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    private let ada = #"{"id": 1, "name": "Ada"}"#

    private func end(_ lines: [String]) async throws {
        let printed = printed
        try await eventually { printed.elements.count >= lines.count }
        #expect(printed.elements == lines)
    }

    @Test
    func aListIsDecoded() async throws {
        let api = client()
        server.on("/users", .json("[\(ada)]"))
        api.get("/users") { $0.on(success: [User].self) { users in print(users.map(\.name)) } }
        let users = try await api.send(Request<[User]>.get("/users")).value
        #expect(users.count == 1)
        try await end([#"["Ada"]"#])
    }

    @Test
    func anEnvelopeIsOpened() async throws {
        let api = client()
        server.on("/user", .json(#"{"data": \#(ada)}"#))
        struct Envelope<Value: Decodable & Sendable>: Decodable, Sendable { var data: Value }

        let user = try await api.send(Request<Envelope<User>>.get("/user")).value.data
        #expect(user.name == "Ada")
    }

    @Test
    func jsonIsADictionary() async throws {
        let api = client()
        server.on("/status", .json(#"{"state": "open"}"#))
        api.get("/status") { $0.on(success: { response in print(response.json?["state"] as? String ?? "unknown") }) }
        try await end(["open"])
    }

    @Test
    func textAndBytesAreReturned() async throws {
        let api = client()
        server.on("/readme", .text("Grüße")).on("/logo.png", .data(Data([1, 2])))
        let text = try await api.send(Request<String>.get("/readme")).value
        let image = try await api.send(Request<Data>.get("/logo.png")).value
        #expect(text == "Grüße" && image == Data([1, 2]))
    }

    @Test
    func aFieldIsRead() async throws {
        let api = client()
        server.on(.head, "/film.mp4", .status(200, headers: ["Content-Length": "7"]))
        let response = try await api.send(SimpleNetworking.head("/film.mp4"))
        print(response.headers["content-length"] ?? "unknown")
        try await end(["7"])
    }

    @Test
    func noContentIsNil() async throws {
        let api = client()
        server.on("*", .status(204))
        let user = try await api.send(Request<User?>.delete("/users/7")).value
        try await api.send(Request<Void>.delete("/users/8"))
        #expect(user == nil)
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
    func aProblemIsKnownByItsType() async throws {
        let api = client()
        let problem = #"{"type": "https://example.com/probs/out-of-credit", "title": "You do not have enough credit."}"#
        let type: HTTPHeaders = ["Content-Type": "application/problem+json"]
        server.on("/orders", .json(problem, status: 403, headers: type))
        api.post("/orders") { request in
            request.on(error: { error in
                if error.problem?.type == "https://example.com/probs/out-of-credit" { print("Please top up.") }
            })
        }
        try await end(["Please top up."])
    }

    private func find(_ api: SimpleNetworking) async throws -> User? {
        do {
            return try await api.send(Request<User>.get("/users/7")).value
        } catch let error as SimpleNetworkingError where error.httpStatus == 404 {
            return nil
        }
    }

    @Test
    func a404IsNil() async throws {
        server.on("/users/7", .status(404))
        #expect(try await find(client()) == nil)
    }

    @Test
    func anExpectedStatusIsASuccess() async throws {
        let api = client()
        server.on("/feature", .status(404))
        let response = try await api.send(SimpleNetworking.get("/feature").acceptable(statuses: [200, 404]))
        print(response.httpStatus == 200)
        try await end(["false"])
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
    func aRedirectIsAResponse() async throws {
        // A client with a stub in place of the network.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String, configure: (inout Client.Configuration) -> Void) -> Client {
            client(configure)
        }
        server.on("/old", .redirect(to: "/new", status: 301))
        let api = SimpleNetworking(host: "api.example.com") { $0.redirectPolicy = .never }
        api.get("/old") { request in
            request.on(httpStatus: 301) { _, response in
                print(response.headers["Location"] ?? "")
                return false
            }
        }
        try await end(["/new"])
    }

    @Test
    func theLastURLIsKnown() async throws {
        let api = client()
        server.on("/old", .redirect(to: "/new")).on("/new", .status(204))
        let response = try await api.send(SimpleNetworking.get("/old"))
        print(response.request.url.path)
        try await end(["/new"])
    }

    @Test
    func allPagesAreRead() async throws {
        let api = client()
        server.on("/users", .json("[\(ada)]", headers: ["Link": "</users?page=2>; rel=\"next\""]), times: 1)
            .on("/users", .json("[\(ada)]"))
        var names: [String] = []
        for try await user in api.items(of: User.self, for: SimpleNetworking.get("/users"), style: .linkHeader()) {
            names.append(user.name)
        }
        #expect(names == ["Ada", "Ada"])
    }

    @Test
    func aFileIsDownloaded() async throws {
        let connection = try LoopbackServer(StubTransport().on("/film.mp4", .text("film")))
        let api = SimpleNetworking(baseURL: connection.url)
        let place = ScratchFile()
        let file = place.url
        let request = SimpleNetworking.get("/film.mp4").on(progress: { print($0.fractionReceived ?? 0) })
        try await api.download(for: request, to: file)
        #expect(place.content == Data("film".utf8))
        let printed = printed
        try await eventually { printed.elements.last == "1.0" }
    }

    @Test
    func linesAreDecoded() async throws {
        let api = client()
        server.on("/export", .text(ada + "\n" + ada))
        for try await user in api.jsonLines(of: User.self, for: SimpleNetworking.get("/export")) { print(user.name) }
        try await end(["Ada", "Ada"])
    }

    @Test
    func eventsAreRead() async throws {
        let api = client()
        let text = "event: headline\ndata: rain\n\nevent: other\ndata: x\n\n"
        server.on("/news", StubResponse(headers: ["Content-Type": "text/event-stream"], body: Data(text.utf8)))
        for try await event in api.events(for: SimpleNetworking.get("/news")) where event.event == "headline" {
            print(event.data)
        }
        try await end(["rain"])
    }
}
