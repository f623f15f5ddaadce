import SimpleNetworking
import SimpleNetworkingOAuth
import Synchronization

/// Signs somebody in to a nation, in a browser or with a password, and keeps the credential.
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

    /// The nation's address.
    public let baseURL: URL
    let session: OAuthSession
    let kept: NationCredential
    let redirectScheme: String?
    let signsOutFirst = Mutex(false)
    private let logger: RequestLogger

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - baseURL: The nation's address.
    ///   - clientID: The app's name with NationBuilder.
    ///   - clientSecret: The app's secret, which the password needs. The default is none.
    ///   - redirectScheme: The scheme of the redirect. The default is that of the app's URL type
    ///     `com.nationbuilder.oauth`, where there is one.
    ///   - redirectPath: The rest of the redirect. The default is `oauth/callback`.
    ///   - store: Where credentials are kept. The default is the Keychain, where there is one, or files of this program.
    ///   - logger: What is told what happens. The default writes warnings to standard error.
    ///   - adjust: Changes what is known of the server, such as whether a `state` is sent.
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
        // As its documentation has it.
        server.clientAuthentication = .parameters
        adjust(&server)
        kept = NationCredential(store, identifier: baseURL.host ?? "")
        session = OAuthSession(server, store: kept) { settings in
            settings.timeout = 10
            configure(&settings)
        }
    }

    // MARK: The credential

    /// Under which name the credential is kept; the nation's host at first.
    public var credentialIdentifier: String { get async { await kept.identifier } }

    /// Whether the credential is kept from one start of the program to the next; it is at first.
    public var isPersistent: Bool { get async { await kept.isPersistent } }

    /// Says whether the credential is kept from one start of the program to the next.
    public func persist(_ isPersistent: Bool) async { await kept.persist(isPersistent) }

    /// The credential that is in memory or in the store, or nil; the server is not asked.
    public var credential: OAuthToken? {
        get async { try? await session.storedToken() }
    }

    /// Takes over a credential that was had elsewhere; nil forgets it here, and not in the store.
    public func use(_ credential: OAuthToken?) async throws {
        if let credential { return try await session.adopt(credential) }
        await kept.forgetOnly(true)
        try await session.signOut()
        await kept.forgetOnly(false)
    }

    /// Keeps a credential under another name from now on, and no longer under the one before.
    public func keep(_ credential: OAuthToken, as identifier: String) async throws {
        let former = await kept.rename(identifier)
        try await session.adopt(credential)
        // The next user who signs in to the nation would get it.
        if former != identifier { await kept.drop(credential, from: former) }
    }

    /// Goes on with the credential that is stored under a name, and gives it, or nil if there is none.
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

    /// Forgets the credential, here and in the store.
    ///
    /// - Returns: Whether there was one in the store, and is no longer.
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
