import Foundation
import SimpleNetworking
import SimpleNetworkingCaching
import SimpleNetworkingForms
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

/// Compiles the samples of the article “Migrating from Alamofire”, and runs what it says of queries and forms.
@Suite(.timeLimit(.minutes(5)))
struct MigratingFromAlamofireSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    func introduces() {
        let api = SimpleNetworking(host: "api.example.com")
        api.get("/user")
    }

    func compiles(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.delete("/users/7")
        api.request("PROPFIND", path: "/files")

        api.get("/user") { $0.timeout(90).cachePolicy(.reload) }

        api.get("/users", query: ["page": 2])

        api.post("/login") { $0.body(form: ["user": "ada"]) }

        api.get("/users", query: [("sort", "name"), ("page", "2")])

        api.get("/users", query: ["id": [1, 2]])
        api.get("/users", query: [("id[]", "1"), ("id[]", "2")])

        api.get("/users", query: ["active": 1])

        api.get("/users", query: ["cursor": data.base64EncodedString()])

        api.get("/users", query: ["since": Date().timeIntervalSince1970])

        api.get("/users", query: ["filter[name]": "Ada", "filter.age": 36])

        api.get("/search", query: .raw("q=green+tea"))

        api.post("/users", body: User(id: 7, name: "Ada"))

        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let sorted = SimpleNetworking(host: "api.example.com") { $0.encoder = encoder }
        api.post("/users") { $0.body(json: User(id: 7, name: "Ada"), encoder: encoder) }

        api.get("/user") { $0.accept(.json).authenticate(withHeader: "Bearer t") }
        let german = SimpleNetworking(host: "api.example.com") { $0.defaultHeaders["Accept-Language"] = "de" }

        api.get("/user") { $0.acceptable(statuses: HTTPStatuses(200..<400)) }

        api.get("/user") { $0.on(completion: { result in print(result) }) }

        api.get("/logo.png") { $0.on(success: Data.self) { data in print(data.count) } }

        api.get("/readme") { $0.on(success: String.self) { text in print(text) } }

        api.get("/user") { $0.on(completion: User.self) { result in print(result) } }
        api.get("/user") { request in
            request
                .on(success: User.self) { user in print(user.name) }
                .on(error: { error in print(error) })
        }

        api.get("/user") {
            $0.on(success: User.self) { user in print(user) }.on(success: String.self) { text in print(text) }
        }

        let queue = DispatchQueue(label: "images")
        api.get("/logo.png") {
            $0.callbackQueue(queue).on(isolation: nil, success: { response in print(response.data.count) })
        }

        api.get("/report") { $0.authenticateBasic(user: "ada", password: "p") }
        api.authenticate(with: "ada", password: "p")

        api.get("/user") { $0.authenticate(withHeader: "Token t") }

        try await api.download(for: SimpleNetworking.get("/film.mp4"), to: file)
        api.get("/film.mp4") { $0.download(to: file).on(success: URL.self) { saved in print(saved) } }

        api.get("/film.mp4") {
            $0.download(to: file).on(progress: { progress in print(progress.fractionReceived ?? 0) })
        }

        let download = api.get("/film.mp4") { $0.download(to: file) }
        download.cancel()
        api.get("/film.mp4") { $0.download(to: file) }

        api.put("/avatar") { $0.body(data: data, contentType: "image/png") }

        api.post("/films") { $0.body(file: file, contentType: "video/mp4") }

        api.post("/photos") { $0.body(multipart: Multipart().file("photo", at: file, type: "image/jpeg")) }

        api.post("/films") { request in
            request
                .body(file: file, contentType: "video/mp4")
                .on(progress: { progress in print(progress.fractionSent ?? 0) })
        }

        for try await chunk in api.bytes(for: SimpleNetworking.get("/log")) { print(chunk.count) }

        for try await line in api.lines(for: SimpleNetworking.get("/log")) { print(line) }

        for try await user in api.jsonLines(of: User.self, for: SimpleNetworking.get("/export")) { print(user.name) }

        let metrics = try await api.send(SimpleNetworking.get("/user")).metrics
        print("\(metrics.firstByte ?? 0) of \(metrics.total) s")

        print(try await SimpleNetworking.get("/user").curl(on: api))

        _ = (sorted, german)
    }

    @Test
    func queriesAreEncodedAsTheGuideSays() async throws {
        let cases: [(Query, String)] = [
            (["active": true], "active=true"), (["id": [1, 2]], "id=1&id=2"), (["b": 1, "a": 2], "a=2&b=1"),
            ([("b", "1"), ("a", "2")], "b=1&a=2"), (["name": "a b"], "name=a%20b"),
            (["none": nil, "empty": ""], "empty="),
        ]
        for (query, text) in cases {
            let head = try await client().makeRequest(for: SimpleNetworking.get("/x", query: query)).head
            #expect(head.url.query == text)
        }
    }

    @Test
    func aFormsSpaceIsAPlusSign() async throws {
        let request = SimpleNetworking.post("/x").body(form: ["name": "a b"])
        guard case .data(let data) = try await client().makeRequest(for: request).body else {
            throw CancellationError()
        }
        #expect(String(decoding: data, as: UTF8.self) == "name=a+b")
    }
}
