import SimpleNetworkingSupport

/// Executes requests to one server or API.
///
/// ```swift
/// let api = SimpleNetworking(host: "api.example.com")
/// api.get("/user") { request in
///     request
///         .on(error: { error in print(error) })
///         .on(success: { response in print(response.json ?? [:]) })
/// }
/// ```
///
/// For each API, create a subclass, restate `@unchecked Sendable`, and override `execute(request:)` to add the handlers
/// and settings that its requests share. You can use a client from any thread. A request in flight retains its client.
open class SimpleNetworking: @unchecked Sendable {
    /// The base URL, to which the client joins request paths.
    public var baseURL: URL { base.url }

    let state: Locked<State>
    let base: BaseURL
    let clock: any RequestClock
    package let memory = SecretMemory()
    let services = ClientServices()
    let replacements = Replacements()
    /// Whether the client is an instance of a subclass, which may override hooks.
    var mayHaveHooks: Bool { type(of: self) != SimpleNetworking.self }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseURL: The URL to which the client joins request paths. The URL can have its own path and query.
    ///   - session: A session that the client uses unchanged; with `import SimpleNetworking`, a `URLSession`. If nil
    ///     (the default), the client creates its own engine.
    ///   - maxRetries: The maximum number of retries that `retry()` can start. If nil (the default), the
    ///     configuration's value applies, which is 3 unless you change it.
    ///   - defaultHeaders: The header fields that the client sends with every request, in addition to the
    ///     configuration's `defaultHeaders`.
    ///   - configure: A closure that changes the configuration.
    public init(
        baseURL: URL,
        session: (any ClientSessionSource)? = nil,
        maxRetries: Int? = nil,
        defaultHeaders: [String: String] = [:],
        configure: (inout Configuration) -> Void = { _ in }
    ) {
        base = BaseURL(baseURL)
        let state = State(session) { configuration in
            configure(&configuration)
            configuration.maxRetries = maxRetries ?? configuration.maxRetries
            configuration.defaultHeaders.merge(HTTPHeaders(defaultHeaders))
        }
        clock = state.configuration.clock
        self.state = Locked(state)
    }

    /// Creates a client for `https://host`.
    ///
    /// The host may include a port and a path, but no scheme. To pass a complete URL, use the initializer with the
    /// parameter `baseURL`. If the host is invalid, each request ends with `.invalidURL`.
    public init(host: String, configure: (inout Configuration) -> Void = { _ in }) {
        let text = "https://" + host
        let hasScheme = host.contains("://")
        let url = hasScheme ? nil : URL(string: text).flatMap { $0.host?.isEmpty == false ? $0 : nil }
        base = BaseURL(url ?? URL(fileURLWithPath: "/"))
        var state = State(nil, configure)
        if url == nil {
            state.mistake =
                hasScheme
                ? .invalidURL(host, reason: "give the client's host without a scheme, or the whole URL as baseURL")
                : .invalidURL(text, reason: "the client's host is not the name of a host")
        }
        clock = state.configuration.clock
        self.state = Locked(state)
    }

    // MARK: Hooks, in the order in which they are called

    /// Executes a request.
    ///
    /// Every request, retry and awaited request passes through this method.
    ///
    /// Override this method to add handlers and settings that all requests to an API share, such as a handler for 401,
    /// and then call `super`. The method runs on the thread that called `get(…)`, `execute(on:)` or `retry()`. The
    /// client doesn't call the method again for redirects, or for attempts that a retry policy or
    /// `shouldRetry(_:error:attempt:)` starts.
    open func execute(request: SimpleRequest) { request.startAttempt(on: self) }

    /// Returns the URL of the given request.
    ///
    /// Override this method to change the URL of every request, for example, to prefix the path with a version or to
    /// add a key to the query:
    ///
    /// ```swift
    /// override func url(for request: SimpleRequest) throws -> URL {
    ///     let path = request.isAbsolute ? request.path : "/v2" + request.path
    ///     let url = try url(forPath: path, query: request.query)
    ///     return trusts(url) ? try self.url(forPath: url.absoluteString, query: ["key": key]) : url
    /// }
    /// ```
    ///
    /// Links in responses are absolute URLs, and can lead to another origin.
    ///
    /// Each call to `execute(request:)` calls this method once, on the same thread. Whatever URL the method returns,
    /// the client sends credentials in header fields only to the base URL's origin and trusted origins. Before you add
    /// a credential to the query, call `trusts(_:)`.
    ///
    /// - Returns: An absolute URL. The default implementation returns the result of `url(forPath:query:)` for the
    ///   request's path and query.
    /// - Throws: An error, which ends the request before anything is sent. The default implementation throws
    ///   `.invalidURL` if the URL isn't valid.
    open func url(for request: SimpleRequest) throws -> URL {
        let specification = request.specification
        return try url(forPath: specification.path, query: specification.query)
    }

    /// Joins a path and a query to the base URL, as the client does for each request.
    ///
    /// The path may include a query. An absolute URL isn't joined to the base URL.
    ///
    /// - Throws: `.invalidURL` if the base URL, the path and the query don't form a valid URL.
    public func url(forPath path: String, query: Query = [:]) throws(SimpleNetworkingError) -> URL {
        try base.joined(with: path, query).url
    }

    /// Returns whether a URL may receive credentials.
    ///
    /// A URL may receive credentials if its origin is the base URL's origin or a trusted origin.
    ///
    /// The client itself checks the URL before it sends credentials in header fields. Call this method before you add a
    /// credential to a query.
    public func trusts(_ url: URL) -> Bool { Origin(url).map { configuration.trusts($0, besides: baseURL) } ?? false }

    /// Returns the encoder for a request's content.
    ///
    /// The default implementation returns the configuration's encoder.
    ///
    /// The client calls this method after `url(for:)`, for the content of typed requests. `body(json:)` doesn't use
    /// this encoder, because it encodes its value immediately, before the client is known.
    open func encoder(for request: SimpleRequest) -> JSONEncoder { configuration.encoder }

    /// Changes an attempt before it is sent.
    ///
    /// The client calls this method before every attempt, for all kinds of requests, but not again for redirects. The
    /// method runs on an arbitrary thread, and never within `get(…)`, so it may take a lock that the caller of `get(…)`
    /// holds. The header fields that you set in this method replace those of the request and the client. If the URL's
    /// origin isn't trusted, the client removes all credentials from the header fields.
    ///
    /// - Throws: An error, which ends the request before the attempt is sent.
    open func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {}

    /// Validates a response, and throws an error if it isn't a success.
    ///
    /// The client calls this method once for each attempt's response, on an arbitrary thread, before status handlers
    /// run.
    ///
    /// - Throws: The error that error handlers receive, unless a status handler takes over the request. The default
    ///   implementation throws `response.error` for every status that isn't acceptable.
    open func validate(_ response: SimpleResponse) throws {
        if let error = response.error { throw error }
    }

    /// Returns whether the client retries a failed attempt immediately.
    ///
    /// Attempts are numbered from 1. The default implementation returns false.
    ///
    /// If the retry policy doesn't retry a failed attempt, the client calls this method when the attempt received no
    /// response or `validate(_:)` threw an error. The client doesn't call the method if a request was cancelled or
    /// couldn't be sent, or if its response couldn't be decoded. The method can cause up to `maxRetries` retries. If a
    /// delay or a refresh must precede the next attempt, wait for it before you return true.
    ///
    /// - Throws: An error that ends the request.
    open func shouldRetry(_ request: SimpleRequest, error: SimpleNetworkingError, attempt: Int) async throws -> Bool {
        false
    }

    /// Returns the decoder for a response's content.
    ///
    /// The default implementation returns the configuration's decoder.
    ///
    /// The client calls this method on an arbitrary thread, when a handler or an awaiting caller needs a value.
    open func decoder(for request: SimpleRequest) -> any ResponseDecoder { configuration.decoder }

    /// The base URL and the configuration, for `dump` and debuggers, with secrets hidden.
    ///
    /// A subclass's own properties aren't shown, because they may be secret.
    package var mirror: Mirror {
        let children: KeyValuePairs = ["baseURL": Redaction.text(of: baseURL) as Any, "configuration": configuration]
        return Mirror(self, children: children, displayStyle: .class, ancestorRepresentation: .suppressed)
    }

    // MARK: Settings

    /// Hides a secret in all logs and descriptions of the client's requests.
    package func hide(_ secret: Secret) { memory.note(secret) }

    /// An immutable snapshot of the current settings.
    var settings: Settings { state.withLock { $0.settings } }

    /// The current settings, and the mark of the credential that they contain.
    var current: (settings: Settings, mark: RefreshState.Mark) { state.withLock { ($0.settings, $0.refresh.mark) } }

    /// The current configuration, including `defaultHeaders` and `maxRetries`.
    public var configuration: Configuration { settings.configuration }

    /// The maximum number of retries that `retry()` can start; the default is 3.
    public var maxRetries: Int {
        get { settings.configuration.maxRetries }
        set { change { $0.configuration.maxRetries = newValue } }
    }

    /// The log level for the client's requests.
    ///
    /// You can change the level at any time, from any thread. A request in flight uses the new level from its next
    /// attempt on. The default is the level of the configuration's logger, which is `warning` unless you change it.
    public var logLevel: LogLevel {
        get { settings.configuration.logger.level }
        set { change { $0.configuration.logger.level = newValue } }
    }

    /// The header fields that the client sends with every request, unless the request sets them itself.
    ///
    /// To remove a field, set it to nil. You can change the fields from any thread. A change applies from the next
    /// attempt on.
    public var defaultHeaders: HTTPHeaders {
        get { settings.configuration.defaultHeaders }
        _modify {
            // Work on a copy, because a change may take long and doesn't have to stay on this thread.
            let former = settings.configuration.defaultHeaders
            var headers = former
            defer { change { $0.configuration.defaultHeaders.apply(headers, to: former) } }
            yield &headers
        }
    }

    /// An alias for `defaultHeaders`.
    public var headers: HTTPHeaders {
        get { defaultHeaders }
        _modify { yield &defaultHeaders }
    }
}

extension SimpleNetworking: Described, Redacted {
    /// The type and the base URL, with secrets hidden.
    package var shownText: String { "\(type(of: self))(\(Redaction.text(of: baseURL)))" }
}
