import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Runs the samples of the article “Migrating from URLSession”.
@Suite(.timeLimit(.minutes(5)))
struct MigratingFromURLSessionSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    func one() async throws {
        let api = SimpleNetworking(host: "api.example.com")
        let user = try await api.send(Request<User>.get("/user", query: [("id", "7")])).value
        _ = user
    }

    func compiles1(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/user") { request in
            request
                .on(success: User.self) { user in print(user.name) }
                .on(error: { error in print(error) })
        }
    }

    func compiles2(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.put("/users/7", body: User(id: 7, name: "Ada")) { request in
            request
                .header("If-Match", "\"3\"")
                .timeout(10)
                .on(httpStatus: 412) { _, _ in
                    print("Someone else changed it.")
                    return false
                }
        }
    }

    func compiles3(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        try await api.download(for: SimpleNetworking.get("/film.mp4"), to: file)
        for try await line in api.lines(for: SimpleNetworking.get("/log")) { print(line) }
        try await api.upload(for: Request<Void>.put("/film.mp4"), fromFile: file)
    }
}
