import Foundation
import SimpleNetworking
import SimpleNetworkingForms
import SimpleNetworkingTesting
import Testing

/// Runs the samples of the article “Bodies”.
@Suite(.timeLimit(.minutes(5)))
struct BodiesSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    private func sent(_ index: Int) async throws -> String {
        let server = server
        try await eventually { server.requests.count > index }
        guard case .data(let data) = server.requests[index].body else { throw CancellationError() }
        return String(decoding: data, as: UTF8.self)
    }

    @Test
    func valuesAndDictionariesAreSentAsJSON() async throws {
        let api = client()
        server.on("/users", .status(201))

        api.post("/users", body: User(id: 7, name: "Ada"))
        api.post("/users") { $0.body(json: ["name": "Ada", "tags": ["new"], "age": NSNull()]) }

        let bodies = try await [sent(0), sent(1)]
        #expect(bodies.contains(#"{"age":null,"name":"Ada","tags":["new"]}"#))
        let users = bodies.compactMap { try? JSONDecoder().decode(User.self, from: Data($0.utf8)) }
        #expect(users == [User(id: 7, name: "Ada")])
        #expect(server.requests.map { $0.headers["Content-Type"] } == ["application/json", "application/json"])
    }

    @Test
    func formsAndTextAreSent() async throws {
        let api = client()
        server.on("*", .status(204))

        api.post("/login") { $0.body(form: [("user", "ada"), ("remember", "true")]) }
        api.post("/notes") { $0.body(text: "Buy bread") }

        let bodies = try await [sent(0), sent(1)]
        #expect(Set(bodies) == ["user=ada&remember=true", "Buy bread"])
        #expect(
            Set(server.requests.map { $0.headers["Content-Type"] }) == [
                "application/x-www-form-urlencoded", "text/plain; charset=utf-8",
            ]
        )
    }

    @Test
    func partsAreSent() async throws {
        let api = client()
        let file = ScratchFile(Data("photo".utf8))
        let (photo, thumbnail) = (file.url, Data("small".utf8))
        server.on("/photos", .status(201))

        let form = Multipart()
            .field("title", "Sunset")
            .data("thumbnail", thumbnail, filename: "small.png", type: "image/png")
            .file("photo", at: photo, type: "image/jpeg")
        api.post("/photos") { $0.body(multipart: form) }

        let body = try await sent(0)
        for part in ["Sunset", #"filename="small.png""#, "Content-Type: image/jpeg", "photo"] {
            #expect(body.contains(part))
        }
    }

    @Test
    func aPhotoIsSentInAForm() async throws {
        let api = client()
        let file = ScratchFile(Data("light".utf8))
        let photo = file.url
        server.on("/photos", .status(201))

        let form = Multipart().field("title", "Sunset").file("photo", at: photo, type: "image/jpeg")
        api.post("/photos") { $0.body(multipart: form) }

        let body = try await sent(0)
        for part in ["Sunset", "Content-Type: image/jpeg", "light"] { #expect(body.contains(part)) }
    }

    @Test
    func bytesFilesAndStreamsAreSent() async throws {
        let api = client()
        let file = ScratchFile(Data("film".utf8))
        let (film, image) = (file.url, Data("image".utf8))
        server.on("*", .status(204))

        api.put("/avatar") {
            $0.body(data: image, contentType: "image/png").on(progress: { print($0.fractionSent ?? 0) })
        }
        api.put("/film") { $0.body(file: film, contentType: "video/mp4") }
        api.put("/log") { $0.body(streamOfLength: nil, contentType: .text) { InputStream(url: film) } }

        let server = server
        try await eventually { server.requests.count == 3 }
        let types = ["/avatar": "image/png", "/film": "video/mp4", "/log": "text/plain; charset=utf-8"]
        for request in server.requests { #expect(request.headers["Content-Type"] == types[request.url.path]) }
        let kinds = Set(server.requests.map { "\($0.body)".prefix(4) })
        #expect(kinds.count == 3)
    }
}
