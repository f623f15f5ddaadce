import SimpleNetworking
import SimpleNetworkingOAuth

/// Talks to one nation of NationBuilder, by version 1 of its API.
///
/// ```swift
/// let nation = NationBuilder(slug: "abeforprez", apiKey: "…")
/// nation.call(.people()) { result in print(result) }
/// let person = try await nation.call(.person(5)).value
/// ```
///
/// Handlers run where they were written, and on the main queue if no actor's code wrote them.
open class NationBuilder: SimpleNetworking, @unchecked Sendable {
    struct Settings {
        var apiVersion = "v1"
        var apiKey: String?
        var sendsKeyAsHeader = false
        var usesLegacyPagination = false
        var usesTokenPagination = true
        weak var delegate: (any NationBuilderDelegate)?
    }

    /// The version that is sent as `X-NB-Client`.
    public static let version = "1.3.1"

    /// What signs in, if the nation was made with it.
    public let authenticator: NationAuthenticator?
    let settings: Guarded<Settings>

    /// Makes a client that somebody signs in to.
    ///
    /// - Parameters:
    ///   - slug: The nation's name in its address.
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
    ///   - slug: The nation's name in its address.
    ///   - apiKey: The key; nil for none yet.
    ///   - baseURL: Another address. The default is nil: `https://<slug>.nationbuilder.com`.
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
        self.authenticator = authenticator
        settings = Guarded(Settings(apiKey: apiKey))
        // A slug that makes no address ends each request with `.invalidURL`.
        let url = baseURL ?? URL(string: "https://\(slug).nationbuilder.com") ?? URL(fileURLWithPath: "/")
        super.init(baseURL: url, session: session) { configuration in
            configuration.sessionConfiguration = sessionConfiguration ?? Self.uncached
            // Whoever brings a cache keeps it.
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

    /// Has the delegate look at each answer.
    open override func execute(request: SimpleRequest) {
        askDelegate(about: request)
        super.execute(request: request)
    }

    /// Has the delegate look at what is no answer; nothing is sent again by itself.
    open override func shouldRetry(
        _ request: SimpleRequest,
        error: SimpleNetworkingError,
        attempt: Int
    ) async throws -> Bool {
        if await !mayGoOn(without: error) { throw SimpleNetworkingError.abandoned(error.request, nil) }
        return false
    }

    /// Puts the version before the path and the key into the query, sorted by name.
    open override func url(for request: SimpleRequest) throws -> URL {
        let url = try super.url(for: request)
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true), isOwn(url) else { return url }
        let settings = settings.value
        let base = basePath
        components.percentEncodedPath =
            base + "/api/\(settings.apiVersion)" + components.percentEncodedPath.dropFirst(base.count)
        var items: [String: URLQueryItem] = [:]
        if !settings.sendsKeyAsHeader {
            let key = settings.apiKey?.addingPercentEncoding(withAllowedCharacters: .unreserved)
            items["access_token"] = URLQueryItem(name: "access_token", value: key ?? "")
        }
        for item in components.percentEncodedQueryItems ?? [] { items[item.name] = item }
        let sorted = items.values.sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
        components.percentEncodedQueryItems = sorted.isEmpty ? nil : sorted
        return components.url ?? url
    }

    /// Puts the key into the header, if it goes there; and lets the delegate change all, last of all.
    open override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
        let settings = settings.value
        if settings.sendsKeyAsHeader, let key = settings.apiKey, isOwn(attempt.url) {
            attempt.headers["Authorization"] = "Bearer \(key)"
        }
        settings.delegate?.nation(self, willSend: &attempt)
    }

    /// Reads what is wrong with an answer; see ``NationError``.
    open override func validate(_ response: SimpleResponse) throws {
        guard isOwn(response.request.url) else { return try super.validate(response) }
        if let error = NationError(response) { throw error }
        guard response.hasContent, response.jsonObject == nil else { return }
        throw SimpleNetworkingError.decoding(.init(type: [String: Any].self, underlying: NotJSON()), response)
    }

    /// Gives the value of the answer's results key.
    open override func decoder(for request: SimpleRequest) -> any ResponseDecoder {
        ResultsDecoder(key: request.tags[ResultsDecoder.tag])
    }

    // MARK: Addresses

    /// The base URL's path, without a slash at the end.
    private var basePath: String {
        let path = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Tells whether an address is one of the nation's: pictures and the like are elsewhere.
    private func isOwn(_ url: URL) -> Bool {
        url.host == baseURL.host && url.port == baseURL.port && url.scheme == baseURL.scheme
            && url.path.hasPrefix(basePath)
    }
}

extension CharacterSet {
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}

private struct NotJSON: Error, CustomStringConvertible {
    let description = "the content is not JSON"
}
