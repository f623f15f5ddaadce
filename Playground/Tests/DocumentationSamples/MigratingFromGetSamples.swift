import SimpleNetworking

/// Compiles the samples of the article “Migrating from Get”.
enum MigratingFromGetSamples {
    static func compiles(_ api: SimpleNetworking) async throws {
        let user: User = try await api.send(Request(path: "/user")).value
        try await api.send(Request(path: "/user/emails", method: .post, body: ["a@example.com"]))
        _ = user
    }
}
