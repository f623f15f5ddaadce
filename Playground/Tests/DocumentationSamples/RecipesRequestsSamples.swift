import Foundation
import SimpleNetworking
import SimpleNetworkingForms
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

/// Runs the samples of the article “Recipes: requests”.
@Suite(.timeLimit(.minutes(5)))
struct RecipesRequestsSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    private func sent(_ count: Int = 1) async throws -> [TransportRequest] {
        let server = server
        try await eventually { server.requests.count >= count }
        return server.requests
    }

    private func content(of request: TransportRequest) throws -> String {
        guard case .data(let data) = request.body else { throw CancellationError() }
        return String(decoding: data, as: UTF8.self)
    }

    private func served() -> SimpleNetworking {
        server.on("*", .json("{}"))
        return client()
    }

    @Test
    func aDictionaryIsAQuery() async throws {
        let api = served()
        api.get("/search", query: ["q": "tea & milk", "page": 2, "tag": nil])
        #expect(try await sent()[0].url.query == "page=2&q=tea%20%26%20milk")
    }

    @Test
    func anArrayRepeatsItsName() async throws {
        let api = served()
        api.get("/search", query: ["tag": ["new", "sale"]])
        api.get("/search", query: [("tag[]", "new"), ("tag[]", "sale")])
        let queries = try await Set(sent(2).map(\.url.query))
        #expect(queries == ["tag=new&tag=sale", "tag%5B%5D=new&tag%5B%5D=sale"])
    }

    @Test
    func aRawQueryIsSentAsWritten() async throws {
        let api = served()
        api.get("/search", query: .raw("q=green+tea&sort=name"))
        #expect(try await sent()[0].url.query == "q=green+tea&sort=name")
    }

    @Test
    func inputStaysOneSegment() async throws {
        let (api, name) = (served(), "a/b?")
        api.get("/users/\(segment: name)/notes")
        #expect(try await sent()[0].url.absoluteString == "https://api.example.com/users/a%2Fb%3F/notes")
    }

    @Test
    func aValueIsSentAsJSON() async throws {
        let api = served()
        api.post("/users", body: User(id: 7, name: "Ada")) {
            $0.on(success: { response in print(response.httpStatus) })
        }
        let text = try await content(of: sent()[0])
        #expect(try JSONDecoder().decode(User.self, from: Data(text.utf8)) == User(id: 7, name: "Ada"))
    }

    @Test
    func aDictionaryIsSentAsJSON() async throws {
        let api = served()
        api.post("/events") { $0.body(json: ["kind": "opened", "tags": ["a", "b"], "count": 3]) }
        #expect(try await content(of: sent()[0]) == #"{"count":3,"kind":"opened","tags":["a","b"]}"#)
    }

    @Test
    func keysAreConverted() async throws {
        struct Member: Codable { var firstName: String }
        let encoder = JSONEncoder.standard
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let decoder = JSONDecoder.standard
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let api = SimpleNetworking(host: "api.example.com") { ($0.encoder, $0.decoder) = (encoder, decoder) }
        let text = String(decoding: try api.configuration.encoder.encode(Member(firstName: "Ada")), as: UTF8.self)
        #expect(text == #"{"first_name":"Ada"}"#)
        let member = try api.configuration.decoder.decode(Member.self, from: Data(text.utf8))
        #expect(member.firstName == "Ada")
    }

    @Test
    func datesAreSeconds() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let api = SimpleNetworking(host: "api.example.com") { $0.decoder = decoder }
        #expect(
            try api.configuration.decoder.decode([Date].self, from: Data("[60]".utf8)) == [
                Date(timeIntervalSince1970: 60)
            ]
        )
    }

    @Test
    func aFormIsSent() async throws {
        let api = served()
        api.post("/login") { $0.body(form: ["user": "ada", "remember": true]) }
        #expect(try await content(of: sent()[0]) == "remember=true&user=ada")
    }

    @Test
    func aFileIsUploadedWithFields() async throws {
        let (api, file) = (served(), ScratchFile(Data("jpeg".utf8)))
        let photo = file.url
        let form = Multipart().field("title", "Sunset").file("photo", at: photo, type: "image/jpeg")
        api.post("/photos") { $0.body(multipart: form).on(success: { _ in print("uploaded") }) }
        let text = try await content(of: sent()[0])
        #expect(text.contains("Sunset") && text.contains("jpeg"))
    }

    @Test
    func aFileIsUploaded() async throws {
        let (api, source) = (served(), ScratchFile(Data("jpeg".utf8)))
        let file = source.url
        let photo = Request<Void>.put("/photos/7", headers: ["Content-Type": "image/jpeg"])
        try await api.upload(for: photo, fromFile: file)
        #expect(server.requests.first?.headers["Content-Type"] == "image/jpeg")
    }

    @Test
    func progressIsReported() async throws {
        let connection = try LoopbackServer(StubTransport().on("/films", .status(201)))
        let api = SimpleNetworking(baseURL: connection.url)
        let file = ScratchFile(Data(count: 9))
        let film = file.url
        api.post("/films") { request in
            request
                .body(file: film, contentType: "video/mp4")
                .on(progress: { progress in print(progress.fractionSent ?? 0) })
        }
        let printed = printed
        try await eventually { printed.elements.last == "1.0" }
    }

    @Test
    func fieldsAreInEveryRequest() async throws {
        let api = SimpleNetworking(host: "api.example.com") {
            $0.defaultHeaders = ["X-App": "Shop", "Accept-Language": "de"]
        }
        api.headers["X-Account"] = "7"
        let head = try await api.makeRequest(for: SimpleNetworking.get("/x")).head
        #expect(["X-App", "Accept-Language", "X-Account"].map { head.headers[$0] } == ["Shop", "de", "7"])
    }

    @Test
    func aFieldIsLeftOut() async throws {
        let api = served()
        api.headers["Authorization"] = "t"
        api.get("/public") { $0.header("Authorization", nil).header("X-Mode", "guest") }
        #expect(try await sent()[0].headers["Authorization"] == nil)
        #expect(try await sent()[0].headers["X-Mode"] == "guest")
    }

    @Test
    func anyMethodIsSent() async throws {
        let api = served()
        api.request("PROPFIND", path: "/files") { $0.header("Depth", "1") }
        #expect(try await sent()[0].method == "PROPFIND")
    }

    @Test
    func aBaseURLHasAPath() async throws {
        // swift-format-ignore: NeverForceUnwrap
        let api = SimpleNetworking(baseURL: URL(string: "https://api.example.com/v2")!)
        let request = SimpleNetworking.get("/users")
        #expect(try await api.makeRequest(for: request).url.absoluteString == "https://api.example.com/v2/users")
    }

    @Test
    func anAbsoluteURLIsRequested() async throws {
        struct Member { let avatar = "https://cdn.example.com/7.png" }
        let (api, user) = (served(), Member())
        api.headers["Authorization"] = "t"
        let photo = try await api.send(SimpleNetworking.get(user.avatar)).data
        #expect(photo.count == 2)
        #expect(server.requests[0].url.host == "cdn.example.com" && server.requests[0].headers["Authorization"] == nil)
    }

    @Test
    func aRequestIsShown() async throws {
        let api = client()
        let request = SimpleNetworking.post("/users", body: ["name": "Ada"])
        print(try await api.makeRequest(for: request).head.url)
        print(try await request.curl(on: api))
        #expect(printed.elements[0] == "https://api.example.com/users")
        #expect(printed.elements[1].hasPrefix("curl ") && server.requests.isEmpty)
    }
}
