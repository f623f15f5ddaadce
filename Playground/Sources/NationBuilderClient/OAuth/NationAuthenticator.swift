import SimpleNetworking
import SimpleNetworkingOAuth
import Synchronization

/// Signs a user in to a nation, in a browser or with a password, and stores the credential.
///
/// ```text
/// let authenticator = NationAuthenticator(baseURL: url, clientID: "…", redirectScheme: "sample-app.nationbuilder")
/// let credential = try await authenticator.authenticate { url in open(url); return nil }
/// // in the app's URL handler:
/// await NationAuthenticator.finishAuthenticating(url)
/// ```
public final class NationAuthenticator: Sendable {
    /// Shows a page; see `OAuthSession.Presenter`.
    public typealias Presenter = OAuthSession.Presenter

    /// The nation's URL.
    public let baseURL: URL
    let session: OAuthSession
    let kept: NationCredential
    let redirectScheme: String?
    let signsOutFirst = Mutex(false)
    private let logger: RequestLogger

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - baseURL: The nation's URL.
    ///   - clientID: The app's name with NationBuilder.
    ///   - clientSecret: The app's secret, which the password needs. The default is none.
    ///   - redirectScheme: The scheme of the redirect. The default is that of the app's URL type
    ///     `com.nationbuilder.oauth`, where there is one.
    ///   - redirectPath: The rest of the redirect. The default is `oauth/callback`.
    ///   - store: Where credentials are kept. The default is the Keychain, where there is one, or files of this program.
    ///   - logger: Logs what happens. The default writes warnings to standard error.
    ///   - adjust: Changes the settings of the server, such as whether a `state` is sent.
    ///   - configure: Changes the settings of the HTTP client for token requests.
    public init(
        baseURL: URL,
        clientID: String,
        clientSecret: Secret? = nil,
        redirectScheme: String? = Bundle.main.redirectScheme,
        redirectPath: String = "oauth/callback",
        store: NationCredentialStore = .standard,
        logger: RequestLogger = .standardError,
        adjust: (inout OAuthConfiguration) -> Void = { _ in },
        configure: @Sendable (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) {
        self.baseURL = baseURL
        self.redirectScheme = redirectScheme
        self.logger = logger
        var server = OAuthConfiguration(clientID: clientID, clientSecret: clientSecret)
        server.redirectURI = redirectScheme.flatMap { URL(string: "\($0)://\(redirectPath)") }
        server.authorizationEndpoint = baseURL.appendingPathComponent("oauth/authorize")
        server.tokenEndpoint = baseURL.appendingPathComponent("oauth/token")
        // As in NationBuilder's documentation.
        server.clientAuthentication = .parameters
        adjust(&server)
        kept = NationCredential(store, identifier: baseURL.host ?? "")
        session = OAuthSession(server, store: kept) { settings in
            settings.timeout = 10
            configure(&settings)
        }
    }

    // MARK: The credential

    /// The name under which the credential is stored; the nation's host at first.
    public var credentialIdentifier: String { get async { await kept.identifier } }

    /// Whether the credential is stored for the next start of the program; true at first.
    public var isPersistent: Bool { get async { await kept.isPersistent } }

    /// Sets whether the credential is stored for the next start of the program.
    public func persist(_ isPersistent: Bool) async { await kept.persist(isPersistent) }

    /// The credential in memory or in the store, or nil; reading it sends no request.
    public var credential: OAuthToken? {
        get async { try? await session.storedToken() }
    }

    /// Sets a credential from elsewhere; nil deletes it in memory, and not in the store.
    public func use(_ credential: OAuthToken?) async throws {
        if let credential { return try await session.adopt(credential) }
        await kept.forgetOnly(true)
        try await session.signOut()
        await kept.forgetOnly(false)
    }

    /// Moves the credential to another name.
    public func keep(_ credential: OAuthToken, as identifier: String) async throws {
        let former = await kept.rename(identifier)
        try await session.adopt(credential)
        // The next user who signs in to the nation would get it.
        if former != identifier { await kept.drop(credential, from: former) }
    }

    /// Resumes with the credential that is stored under a name, and returns it, or nil if there is none.
    ///
    /// - Throws: ``NationError`` with `.store` if it cannot be read.
    func resume(_ identifier: String) async throws -> OAuthToken? {
        do {
            guard let credential = try await kept.stored(as: identifier) else { return nil }
            await kept.rename(identifier)
            try await session.adopt(credential)
            return credential
        } catch {
            throw NationError(.store, "The credential could not be read.", reason: "\(error)")
        }
    }

    /// Deletes the credential, in memory and in the store.
    ///
    /// - Returns: Whether there was one in the store and it was deleted.
    @discardableResult
    public func discardCredential() async -> Bool {
        let wasStored = await kept.isStored()
        do {
            try await session.signOut()
            return wasStored
        } catch {
            logger.log(.error, "The credential could not be deleted: \(error)")
            return false
        }
    }

    func log(_ level: LogLevel, _ message: @autoclosure () -> String) { logger.log(level, message()) }
}

extension Bundle {
    /// The first scheme of the URL type for NationBuilder's redirects.
    public var redirectScheme: String? {
        let types = infoDictionary?["CFBundleURLTypes"] as? [[String: Any]]
        let type = types?.first { $0["CFBundleURLName"] as? String == "com.nationbuilder.oauth" }
        return (type?["CFBundleURLSchemes"] as? [String])?.first
    }
}
