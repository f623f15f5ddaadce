import Foundation
import SimpleNetworking
import SimpleNetworkingTransfers

/// Compiles the samples of the article “Migrating from URLSession”.
enum MigratingFromURLSessionSamples {
    static func one() async throws {
        let api = SimpleNetworking(host: "api.example.com")
        let user = try await api.send(Request<User>.get("/user", query: [("id", "7")])).value
        _ = user
    }

    static func compiles(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.get("/user") { request in
            request
                .on(success: User.self) { user in print(user.name) }
                .on(error: { error in print(error) })
        }

        api.put("/users/7", body: User(id: 7, name: "Ada")) { request in
            request
                .header("If-Match", "\"3\"")
                .timeout(10)
                .on(httpStatus: 412) { _, _ in
                    print("Someone else changed it.")
                    return false
                }
        }

        try await api.download(for: SimpleNetworking.get("/film.mp4"), to: file)
        for try await line in api.lines(for: SimpleNetworking.get("/log")) { print(line) }
        try await api.upload(for: Request<Void>.put("/film.mp4"), fromFile: file)
    }
}
