import SimpleNetworking
import SimpleNetworkingCaching
import SimpleNetworkingOAuth
import Synchronization

/// Talks to one nation of NationBuilder, by version 1 of its API.
///
/// ```swift
/// let nation = NationBuilder(slug: "abeforprez", apiKey: "…")
/// nation.call(.people()) { result in print(result) }
/// let person = try await nation.call(.person(5)).value
/// ```
///
/// Handlers run where they were written, and on the main queue if no actor's code wrote them. What a subclass of
/// `SimpleNetworking` adds may be read and changed from any thread, so it is kept under a lock.
open class NationBuilder: SimpleNetworking, @unchecked Sendable {
    struct Settings: Sendable {
        var apiVersion = "v1"
        var apiKey: String?
        var sendsKeyAsHeader = false
        var usesLegacyPagination = false
        var usesTokenPagination = true
        weak var delegate: (any NationBuilderDelegate)?
    }

    /// The version that is sent as `X-NB-Client`.
    public static let version = "1.3.1"

    /// The nation's name in its URL.
    public let slug: String
    /// What signs in, if the nation was made with it.
    public let authenticator: NationAuthenticator?
    let settings: Mutex<Settings>

    /// Makes a client that users sign in to.
    ///
    /// - Parameters:
    ///   - slug: The nation's name in its URL.
    ///   - authenticator: What signs in; its base URL is the client's.
    ///   - session: A session to use as it is. The default is none.
    ///   - sessionConfiguration: The settings of the client's own session. The default is the system's.
    ///   - configure: Changes the configuration.
    public convenience init(
        slug: String,
        authenticator: NationAuthenticator,
        session: URLSession? = nil,
        sessionConfiguration: URLSessionConfiguration? = nil,
        configure: (inout Configuration) -> Void = { _ in }
    ) {
        self.init(slug, nil, authenticator.baseURL, session, sessionConfiguration, authenticator, configure)
    }

    /// Makes a client with a key.
    ///
    /// - Parameters:
    ///   - slug: The nation's name in its URL.
    ///   - apiKey: The key; nil for none yet.
    ///   - baseURL: Another URL. The default is nil: `https://<slug>.nationbuilder.com`.
    ///   - session: A session to use as it is. The default is none.
    ///   - sessionConfiguration: The settings of the client's own session. The default is the system's.
    ///   - configure: Changes the configuration.
    public convenience init(
        slug: String,
        apiKey: String?,
        baseURL: URL? = nil,
        session: URLSession? = nil,
        sessionConfiguration: URLSessionConfiguration? = nil,
        configure: (inout Configuration) -> Void = { _ in }
    ) {
        self.init(slug, apiKey, baseURL, session, sessionConfiguration, nil, configure)
    }

    private init(
        _ slug: String,
        _ apiKey: String?,
        _ baseURL: URL?,
        _ session: URLSession?,
        _ sessionConfiguration: URLSessionConfiguration?,
        _ authenticator: NationAuthenticator?,
        _ configure: (inout Configuration) -> Void
    ) {
        self.slug = slug
        self.authenticator = authenticator
        settings = Mutex(Settings(apiKey: apiKey))
        // A slug that makes no valid URL ends each request with `.invalidURL`.
        let url = baseURL ?? URL(string: "https://\(slug).nationbuilder.com") ?? URL(fileURLWithPath: "/")
        super.init(baseURL: url, session: session) { configuration in
            configuration.sessionConfiguration = sessionConfiguration ?? Self.uncached
            // A cache of the caller's is left as it is.
            if session == nil, configuration.sessionConfiguration.urlCache == nil {
                configuration.cache = .shared(named: url.host ?? "")
            }
            configuration.cachePolicy = .revalidate
            configuration.timeout = 10
            configuration.callbackQueue = .main
            configuration.defaultHeaders = [
                "Accept": "application/json", "Content-Type": "application/json", "X-NB-Client": "iOS/\(Self.version)",
            ]
            configuration.encoder = .nation
            configure(&configuration)
        }
    }

    /// The system's settings, but for a cache that all hosts would share.
    private static var uncached: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        configuration.urlCache = nil
        return configuration
    }

    // MARK: Hooks

    /// Adds the delegate's handlers to each request.
    open override func execute(request: SimpleRequest) {
        askDelegate(about: request)
        super.execute(request: request)
    }

    /// Puts the version before the path, and the key into the query, sorted by name.
    open override func url(for request: SimpleRequest) throws -> URL {
        let settings = settings.withLock { $0 }
        let key: Query = settings.sendsKeyAsHeader ? [:] : ["access_token": settings.apiKey ?? ""]
        if request.isAbsolute {
            let url = try super.url(for: request)
            return trusts(url) ? try self.url(forPath: request.path, query: request.query.replacing(with: key)) : url
        }
        let slash = request.path.hasPrefix("/") ? "" : "/"
        let pairs = key.replacing(with: request.query).pairs.sorted {
            ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name)
        }
        return try url(forPath: "/api/\(settings.apiVersion)" + slash + request.path, query: Query(pairs))
    }

    /// Adds the key to the header, if it goes there; then the delegate may change everything.
    open override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
        let settings = settings.withLock { $0 }
        if settings.sendsKeyAsHeader, let key = settings.apiKey { attempt.headers["Authorization"] = "Bearer \(key)" }
        settings.delegate?.nation(self, willSend: &attempt)
    }

    /// Reads the error of a response; see ``NationError``.
    open override func validate(_ response: SimpleResponse) throws {
        // Pictures, for example, are on other hosts.
        guard trusts(response.request.url) else { return try super.validate(response) }
        if let error = NationError(response) { throw error }
        // The content was stored, whatever the response looks like.
        guard response.request.method == .get, response.hasContent, response.jsonObject == nil else { return }
        throw SimpleNetworkingError.decoding(.init(type: [String: Any].self, underlying: NotJSON()), response)
    }

    /// Returns the value at the response's results key.
    open override func decoder(for request: SimpleRequest) -> any ResponseDecoder {
        ResultsDecoder(key: request.tags[ResultsDecoder.tag], isStored: request.method != .get)
    }
}

private struct NotJSON: Error, CustomStringConvertible {
    let description = "the content is not JSON"
}
