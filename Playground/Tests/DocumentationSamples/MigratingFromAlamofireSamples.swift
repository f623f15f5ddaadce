import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Runs the samples of the article “Migrating from Alamofire”.
@Suite(.timeLimit(.minutes(5)))
struct MigratingFromAlamofireSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    func introduces() {
        let api = SimpleNetworking(host: "api.example.com")
        api.get("/user")
    }

    func compiles1(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.delete("/users/7")
        api.request("PROPFIND", path: "/files")
    }

    func compiles2(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/user") { $0.timeout(90).cachePolicy(.reload) }
    }

    func compiles3(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/users", query: ["page": 2])
    }

    func compiles4(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.post("/login") { $0.body(form: ["user": "ada"]) }
    }

    func compiles5(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/users", query: [("sort", "name"), ("page", "2")])
    }

    func compiles6(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/users", query: ["id": [1, 2]])
        api.get("/users", query: [("id[]", "1"), ("id[]", "2")])
    }

    func compiles7(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/users", query: ["active": 1])
    }

    func compiles8(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/users", query: ["cursor": data.base64EncodedString()])
    }

    func compiles9(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/users", query: ["since": Date().timeIntervalSince1970])
    }

    func compiles10(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/users", query: ["filter[name]": "Ada", "filter.age": 36])
    }

    func compiles11(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/search", query: .raw("q=green+tea"))
    }

    func compiles12(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.post("/users", body: User(id: 7, name: "Ada"))
    }

    func compiles13(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let sorted = SimpleNetworking(host: "api.example.com") { $0.encoder = encoder }
        api.post("/users") { $0.body(json: User(id: 7, name: "Ada"), encoder: encoder) }
        _ = sorted
    }

    func compiles14(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/user") { $0.accept(.json).authenticate(withHeader: "Bearer t") }
        let german = SimpleNetworking(host: "api.example.com") { $0.defaultHeaders["Accept-Language"] = "de" }
        _ = german
    }

    func compiles15(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/user") { $0.acceptable(statuses: HTTPStatuses(200..<400)) }
    }

    func compiles16(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/user") { $0.on(completion: { result in print(result) }) }
    }

    func compiles17(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/logo.png") { $0.on(success: Data.self) { data in print(data.count) } }
    }

    func compiles18(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/readme") { $0.on(success: String.self) { text in print(text) } }
    }

    func compiles19(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/user") { $0.on(completion: User.self) { result in print(result) } }
        api.get("/user") { request in
            request
                .on(success: User.self) { user in print(user.name) }
                .on(error: { error in print(error) })
        }
    }

    func compiles20(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/user") {
            $0.on(success: User.self) { user in print(user) }.on(success: String.self) { text in print(text) }
        }
    }

    func compiles21(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let queue = DispatchQueue(label: "images")
        api.get("/logo.png") {
            $0.callbackQueue(queue).on(isolation: nil, success: { response in print(response.data.count) })
        }
    }

    func compiles22(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/report") { $0.authenticateBasic(user: "ada", password: "p") }
        api.authenticate(user: "ada", password: "p")
    }

    func compiles23(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/user") { $0.authenticate(withHeader: "Token t") }
    }

    func compiles24(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        try await api.download(for: SimpleNetworking.get("/film.mp4"), to: file)
        api.get("/film.mp4") { $0.download(to: file).on(success: URL.self) { saved in print(saved) } }
    }

    func compiles25(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/film.mp4") {
            $0.download(to: file).on(progress: { progress in print(progress.fractionReceived ?? 0) })
        }
    }

    func compiles26(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let download = api.get("/film.mp4") { $0.download(to: file) }
        download.cancel()
        api.get("/film.mp4") { $0.download(to: file) }
    }

    func compiles27(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.put("/avatar") { $0.body(data: data, contentType: "image/png") }
    }

    func compiles28(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.post("/films") { $0.body(file: file, contentType: "video/mp4") }
    }

    func compiles29(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.post("/photos") { $0.body(multipart: Multipart().file("photo", at: file, type: "image/jpeg")) }
    }

    func compiles30(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.post("/films") { request in
            request
                .body(file: file, contentType: "video/mp4")
                .on(progress: { progress in print(progress.fractionSent ?? 0) })
        }
    }

    func compiles31(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        for try await chunk in api.bytes(for: SimpleNetworking.get("/log")) { print(chunk.count) }
    }

    func compiles32(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        for try await line in api.lines(for: SimpleNetworking.get("/log")) { print(line) }
    }

    func compiles33(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        for try await user in api.jsonLines(of: User.self, for: SimpleNetworking.get("/export")) { print(user.name) }
    }

    func compiles34(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let metrics = try await api.send(SimpleNetworking.get("/user")).metrics
        print("\(metrics.firstByte ?? 0) of \(metrics.total) s")
    }

    func compiles35(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        print(try await SimpleNetworking.get("/user").curl(on: api))
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
