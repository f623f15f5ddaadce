import SimpleNetworking

extension Humon {
    /// Takes the value of a request, or its error.
    public typealias Completion<Value> = (Result<Value, SimpleNetworkingError>) -> Void

    /// Creates a user for this device.
    ///
    /// When the completion runs, the user is remembered and requests are signed as them.
    ///
    /// - Parameters:
    ///   - actor: Where the completion runs. The default is the actor whose code calls this.
    ///   - completion: Takes the user, or why there is none; runs once.
    /// - Returns: The request, which can be cancelled.
    @discardableResult
    public func createUser(
        isolation actor: (any Actor)? = #isolation,
        _ completion: @escaping Completion<NewUser>
    ) -> SimpleRequest {
        start(userCreation(), NewUser.self, isolation: actor, completion)
    }

    /// Creates a user for this device, and waits for it.
    @discardableResult
    public func createUser() async throws -> NewUser {
        try await send(userCreation()).decode(NewUser.self)
    }

    /// The first handler, since handlers run in the order in which they are written.
    ///
    /// If the user can't be decoded, the request fails and nothing is stored.
    private func userCreation() -> SimpleRequest {
        Self.post("users").on(isolation: nil, success: NewUser.self) { [weak self] user in self?.signIn(as: user) }
    }
}
