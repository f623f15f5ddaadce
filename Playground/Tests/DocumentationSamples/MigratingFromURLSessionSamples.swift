import SimpleNetworking

/// Compiles the sample of the article “Migrating from URLSession”.
enum MigratingFromURLSessionSamples {
    static func compiles() async throws {
        let api = SimpleNetworking(host: "api.example.com")
        let user = try await api.send(Request<User>.get("/user", query: [("id", "7")])).value
        _ = user
    }
}
