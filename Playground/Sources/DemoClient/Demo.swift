import SimpleNetworking
import SimpleNetworkingPagination

/// Talks to the demo server: users, items and a private page.
///
/// ```swift
/// let demo = Demo(baseURL: server.baseURL)
/// let ada = try await demo.user(1)
/// try await demo.signIn()
/// demo.privatePage { result in print(result) }
/// ```
public final class Demo: SimpleNetworking, @unchecked Sendable {
    /// Takes the value of a call, or its error.
    public typealias Completion<Value> = (Result<Value, SimpleNetworkingError>) -> Void

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - baseURL: The server's URL.
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

    /// Whether requests are signed.
    public var isSignedIn: Bool { bearer?.token != nil }

    /// Gets a token to sign requests with; it is refreshed when the server rejects it.
    public func signIn() async throws {
        bearer?.token = nil
        bearer?.token = try await send(.newToken).value.token
    }

    /// Deletes the token, and lets the server revoke it.
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

    /// Gets the items as a sequence; a page is requested when its first item is needed.
    public func items() -> RequestSequence<Item> {
        items(at: "items", for: Self.get("/items"), style: .numbers(itemsPerPage: 8))
    }

    /// Gets the page that requires a sign-in; see ``user(_:isolation:_:)``.
    @discardableResult
    public func privatePage(
        isolation actor: (any Actor)? = #isolation,
        _ completion: @escaping Completion<PrivatePage>
    ) -> SimpleRequest {
        start(.privatePage, isolation: actor, completion)
    }

    /// Gets the page that requires a sign-in, and waits for it.
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
