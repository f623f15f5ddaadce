import SimpleNetworking

/// Talks to the demo server: users, items and a private page.
///
/// ```swift
/// let demo = Demo(baseURL: server.baseURL)
/// let ada = try await demo.user(1)
/// try await demo.signIn()
/// demo.privatePage { result in print(result) }
/// ```
public final class Demo: SimpleNetworking, @unchecked Sendable {
    /// Takes what a call brought, or why it brought nothing.
    public typealias Completion<Value> = (Result<Value, SimpleNetworkingError>) -> Void

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - baseURL: The server's address.
    ///   - configure: Changes the configuration.
    public init(baseURL: URL, configure: (inout Configuration) -> Void = { _ in }) {
        super.init(baseURL: baseURL, configure: configure)
        let bearer = BearerAuthenticator { [weak self] _ in
            guard let self else { throw CancellationError() }
            return try await self.send(.newToken).value.token
        }
        authenticate(with: bearer)
    }

    // MARK: Signing in

    /// Tells whether requests are signed.
    public var isSignedIn: Bool { bearer?.token != nil }

    /// Gets a token to sign requests with; it is renewed when the server refuses it.
    public func signIn() async throws {
        bearer?.token = nil
        bearer?.token = try await send(.newToken).value.token
    }

    /// Forgets the token, and has the server end it.
    public func endSession() async throws {
        bearer?.token = nil
        try await send(.post("/expire"))
    }

    private var bearer: BearerAuthenticator? { configuration.authenticator as? BearerAuthenticator }

    // MARK: Calls

    /// Gets one user.
    ///
    /// - Parameters:
    ///   - id: The user's number.
    ///   - actor: Where the completion runs. The default is the actor whose code calls this.
    ///   - completion: Takes the user, or why there is none; runs once.
    /// - Returns: The request, which can be cancelled.
    @discardableResult
    public func user(
        _ id: Int,
        isolation actor: (any Actor)? = #isolation,
        _ completion: @escaping Completion<User>
    ) -> SimpleRequest {
        start(.user(id), isolation: actor, completion)
    }

    /// Gets one user, and waits for it.
    public func user(_ id: Int) async throws -> User { try await send(.user(id)).value }

    /// Gets all users.
    public func users() async throws -> [User] { try await send(.get("/users")).value }

    /// Gets the items one by one; a page is asked for when its first item is wanted.
    public func items() -> PagedItems<Item> {
        items(at: "items", for: Self.get("/items"), style: .numbers(itemsPerPage: 8))
    }

    /// Gets the page that only those see who are signed in; see ``user(_:isolation:_:)``.
    @discardableResult
    public func privatePage(
        isolation actor: (any Actor)? = #isolation,
        _ completion: @escaping Completion<PrivatePage>
    ) -> SimpleRequest {
        start(.privatePage, isolation: actor, completion)
    }

    /// Gets the page that only those see who are signed in, and waits for it.
    public func privatePage() async throws -> PrivatePage { try await send(.privatePage).value }

    private func start<Value: Decodable & Sendable>(
        _ request: Request<Value>,
        isolation actor: (any Actor)?,
        _ completion: @escaping Completion<Value>
    ) -> SimpleRequest {
        execute(request) { $0.on(isolation: actor, completion: Value.self, completion) }
    }
}

extension Request where Response == NewToken {
    fileprivate static var newToken: Self { .post("/auth") }
}

extension Request where Response == User {
    fileprivate static func user(_ id: Int) -> Self { .get("/users/\(id)") }
}

extension Request where Response == PrivatePage {
    fileprivate static var privatePage: Self { .get("/private") }
}
