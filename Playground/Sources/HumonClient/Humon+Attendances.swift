import SimpleNetworking

extension Humon {
    /// Says that the user will come to an event; saying it twice changes nothing.
    ///
    /// - Parameters:
    ///   - id: The event's identifier.
    ///   - actor: Where the completion runs. The default is the actor whose code calls this.
    ///   - completion: Takes nil, or what went wrong; runs once.
    /// - Returns: The request, which can be cancelled.
    @discardableResult
    public func attend(
        _ id: String,
        isolation actor: (any Actor)? = #isolation,
        _ completion: @escaping (SimpleNetworkingError?) -> Void
    ) -> SimpleRequest {
        attendance(of: id)
            .on(isolation: actor, success: { _ in completion(nil) })
            .on(isolation: actor, error: { error in completion(error) })
            .execute(on: self)
    }

    /// Says that the user will come to an event, and waits for the response.
    public func attend(_ id: String) async throws { _ = try await send(attendance(of: id)) }

    private func attendance(of id: String) -> SimpleRequest {
        Self.post("attendances", body: ["event": ["id": Identifier(id)]])
    }
}
