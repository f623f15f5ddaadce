import SimpleNetworking

/// A client whose author means the own types.
class Library: SimpleNetworking, @unchecked Sendable {
    func page() async throws -> Page { try await send(.get("/page")).value }
}
