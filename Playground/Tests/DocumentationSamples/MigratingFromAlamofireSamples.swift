import Foundation
import SimpleNetworking
import SimpleNetworkingForms
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

/// Compiles the sample of the article “Migrating from Alamofire”, and runs what it says of queries and forms.
@Suite(.timeLimit(.minutes(5)))
struct MigratingFromAlamofireSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    func compiles(_ api: SimpleNetworking) {
        api.post("/users", body: User(id: 7, name: "Ada")) { $0.on(completion: User.self) { result in print(result) } }
    }

    func compilesWhatTheTablesName(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let queue = DispatchQueue(label: "images")
        api.request("PROPFIND", path: "/files")
        api.post("/login") { $0.body(form: ["user": "ada"]) }
        api.get("/users", query: [("id[]", "1")])
        api.get("/users", query: ["cursor": data.base64EncodedString(), "filter[name]": "Ada"])
        _ = try Query(encoding: User(id: 7, name: "Ada")) {
            ($0.arrays, $0.booleans, $0.dates) = (.brackets, .numbers, .iso8601)
        }
        api.get("/search", query: .raw("q=green+tea"))
        api.get("/user") { $0.acceptable(statuses: 200..<400).acceptable(types: [.json, "image/*"]) }
        api.get("/logo.png") {
            $0.callbackQueue(queue).on(isolation: nil, success: { response in print(response.data.count) })
        }
        api.get("/report") { $0.authenticateBasic(user: "ada", password: "p") }
        api.get("/user") { $0.authenticate(withHeader: "Token t") }
        api.post("/photos") { $0.body(multipart: Multipart().file("photo", at: file, type: "image/jpeg")) }
        for try await chunk in api.bytes(for: SimpleNetworking.get("/log")) { print(chunk.count) }
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
