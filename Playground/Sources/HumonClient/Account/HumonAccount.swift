import SimpleNetworking

/// The user of the app: an identifier and a token, in a store for secrets.
public struct HumonAccount: Sendable {
    private let store: any SecretStore
    private let logger: RequestLogger

    /// Makes an account.
    ///
    /// - Parameters:
    ///   - store: Where the identifier and the token are kept. The default is memory.
    ///   - logger: Logs when a store fails. The default writes to standard error.
    public init(store: any SecretStore = MemorySecretStore(), logger: RequestLogger = .standardError) {
        self.store = store
        self.logger = logger
    }

    /// The user's identifier; setting nil forgets it.
    public var userID: String? {
        get { self["currentUserID"]?.reveal() }
        nonmutating set { self["currentUserID"] = newValue.map { Secret($0) } }
    }

    /// The user's token; setting nil forgets it.
    public var token: Secret? {
        get { self["currentUserToken"] }
        nonmutating set { self["currentUserToken"] = newValue }
    }

    /// Whether there is a user with an identifier and a token.
    public var isLoggedIn: Bool { userID != nil && token != nil }

    /// Returns whether a user is the current one.
    public func isCurrentUser(_ user: HumonUser) -> Bool { user.id == userID }

    /// Forgets the user.
    public func forget() {
        userID = nil
        token = nil
    }

    /// If the store fails, the app goes on; the user is created again at the next start.
    private subscript(name: String) -> Secret? {
        get {
            do {
                return try store.secret(named: name)
            } catch {
                logger.log(.error, "“\(name)” could not be read: \(error)")
                return nil
            }
        }
        nonmutating set {
            do {
                try store.keep(newValue, named: name)
            } catch {
                logger.log(.error, "“\(name)” could not be kept: \(error)")
            }
        }
    }
}
