/// Executes requests: the client of one server or API.
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
/// Make a subclass per API, restate `@unchecked Sendable`, and override `execute(request:)` for what all its requests
/// have in common. A client may be used from any thread. A request in flight retains its client.
open class SimpleNetworking: @unchecked Sendable {
    /// The URL that paths are joined to.
    public var baseURL: URL { base.url }

    let state: Locked<State>
    let base: BaseURL
    let clock: any RequestClock
    let memory = SecretMemory()
    let gate: TrafficGate
    let transfers = SharedTransfers()
    let replacements = Replacements()
    /// Only a subclass can have overridden a hook.
    var mayHaveHooks: Bool { type(of: self) != SimpleNetworking.self }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that paths are joined to; its path and query are kept.
    ///   - session: A session to use as it is. The default is nil: an engine of the client's own.
    ///   - maxRetries: How often `retry()` may send a request again. The default is the configuration's, 3.
    ///   - defaultHeaders: Header fields that every request carries, in addition to the configuration's.
    ///   - configure: Changes the configuration.
    public init(
        baseURL: URL,
        session: URLSession? = nil,
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
        gate = TrafficGate(state.configuration.traffic, clock)
        self.state = Locked(state)
    }

    /// Creates a client for `https://host`.
    ///
    /// The host may have a port and a path, but no scheme; `baseURL:` takes a whole URL. An invalid host doesn't crash:
    /// each request ends with `.invalidURL`.
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
        gate = TrafficGate(state.configuration.traffic, clock)
        self.state = Locked(state)
    }

    // MARK: Hooks, in the order in which they are called

    /// Executes a request: every request, retry and awaited request passes through here.
    ///
    /// Override it for what all requests to an API have in common, such as a handler for 401, and call `super`. It runs
    /// on the thread that called `get(…)`, `execute(on:)` or `retry()`. Redirects, and attempts that a retry policy or
    /// `shouldRetry(_:error:attempt:)` sends again, don't pass through it once more.
    open func execute(request: SimpleRequest) { request.startAttempt(on: self) }

    /// Makes the URL of a request.
    ///
    /// Override it for what all URLs have in common, such as a version before the path or a key in the query:
    ///
    /// ```swift
    /// override func url(for request: SimpleRequest) throws -> URL {
    ///     let path = request.isAbsolute ? request.path : "/v2" + request.path
    ///     let url = try url(forPath: path, query: request.query)
    ///     return trusts(url) ? try self.url(forPath: url.absoluteString, query: ["key": key]) : url
    /// }
    /// ```
    ///
    /// Links to further pages are absolute, and may lead to another origin.
    ///
    /// Called on that thread, once each time the request passes through `execute(request:)`. Whatever it returns,
    /// credentials in header fields are sent only to the base URL's origin and the trusted ones; before you add one to
    /// the query, call `trusts(_:)`.
    ///
    /// - Returns: An absolute URL. The default is `url(forPath:query:)` of the request's path and query.
    /// - Throws: An error that ends the request; nothing is sent. The default throws `.invalidURL`.
    open func url(for request: SimpleRequest) throws -> URL {
        let specification = request.specification
        return try url(forPath: specification.path, query: specification.query)
    }

    /// Joins a path and a query to the base URL, as the client does for each request.
    ///
    /// The path may have a query of its own; an absolute URL is used unchanged.
    ///
    /// - Throws: `.invalidURL`.
    public func url(forPath path: String, query: Query = [:]) throws(SimpleNetworkingError) -> URL {
        try base.joined(with: path, query)
    }

    /// Tells whether a URL may receive the client's credentials: its origin is the base URL's or a trusted one.
    ///
    /// The client checks header fields itself; call this before you add a credential to a query.
    public func trusts(_ url: URL) -> Bool { Origin(url).map { configuration.trusts($0, besides: baseURL) } ?? false }

    /// Returns the encoder of a request's content; the default is the configuration's.
    ///
    /// Called after `url(for:)`, for the content of typed requests; `body(json:)` encodes at once, before the client is
    /// known.
    open func encoder(for request: SimpleRequest) -> JSONEncoder { configuration.encoder }

    /// Changes what an attempt sends.
    ///
    /// Called before every attempt, on no particular thread, for all kinds of requests, but not again for redirects. It
    /// is never called within `get(…)`, so it may take a lock that the caller holds.
    /// What it sets replaces the request's and the client's own fields; a credential among them is removed if the URL's
    /// origin isn't trusted.
    ///
    /// - Throws: An error that ends the request; the attempt is not sent.
    open func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {}

    /// Decides whether a response is a success.
    ///
    /// Called once for each attempt's response, on no particular thread, before status handlers run.
    ///
    /// - Throws: What is wrong with the response, for error handlers, unless a status handler takes the request over. The
    ///   default throws `response.error` for every status except the acceptable ones.
    open func validate(_ response: SimpleResponse) throws {
        if let error = response.error { throw error }
    }

    /// Decides whether a failed attempt, counted from 1, is sent again at once; the default is false.
    ///
    /// Called when there was no response or `validate(_:)` threw, and the retry policy does not send again; never for a
    /// request that was cancelled, or could not be sent or decoded. It may send again up to `maxRetries` times. To wait
    /// before the next attempt, or to refresh something first, do so before returning true.
    ///
    /// - Throws: An error that the request then ends with.
    open func shouldRetry(_ request: SimpleRequest, error: SimpleNetworkingError, attempt: Int) async throws -> Bool {
        false
    }

    /// Returns the decoder of a response's content; the default is the configuration's.
    ///
    /// Called on no particular thread when a handler or an awaiting caller wants a value.
    open func decoder(for request: SimpleRequest) -> any ResponseDecoder { configuration.decoder }

    /// Shows the base URL and the configuration to `dump` and debuggers, with secrets hidden.
    ///
    /// A subclass's own properties are not shown: they may be secret.
    var mirror: Mirror {
        let children: KeyValuePairs = ["baseURL": Redaction.text(of: baseURL) as Any, "configuration": configuration]
        return Mirror(self, children: children, displayStyle: .class, ancestorRepresentation: .suppressed)
    }

    // MARK: Settings

    /// Hides a secret in all texts about the client's requests, wherever it comes back.
    package func hide(_ secret: Secret) { memory.note(secret) }

    /// The settings as they are now; they never change, but are replaced.
    var settings: Settings { state.withLock { $0.settings } }

    /// The settings, and the mark of the credential among them.
    var current: (settings: Settings, mark: RefreshState.Mark) { state.withLock { ($0.settings, $0.refresh.mark) } }

    /// The current configuration, including `defaultHeaders` and `maxRetries`.
    public var configuration: Configuration { settings.configuration }

    /// How often `retry()` may send a request again; the default is 3.
    public var maxRetries: Int {
        get { settings.configuration.maxRetries }
        set { change { $0.configuration.maxRetries = newValue } }
    }

    /// How much is logged about requests.
    ///
    /// It may be changed at any time, from any thread; a request in flight uses it from its next attempt. The default
    /// is the configured logger's, `warning`.
    public var logLevel: LogLevel {
        get { settings.configuration.logger.level }
        set { change { $0.configuration.logger.level = newValue } }
    }

    /// The header fields that every request carries unless it has its own.
    ///
    /// Setting a field to nil removes it. Changes apply from the next attempt, and may be made from any thread.
    public var defaultHeaders: HTTPHeaders {
        get { settings.configuration.defaultHeaders }
        _modify {
            // A copy: what changes it may take long, and may not come back to this thread.
            let former = settings.configuration.defaultHeaders
            var headers = former
            defer { change { $0.configuration.defaultHeaders.apply(headers, to: former) } }
            yield &headers
        }
    }

    /// Is the same as `defaultHeaders`.
    public var headers: HTTPHeaders {
        get { defaultHeaders }
        _modify { yield &defaultHeaders }
    }
}

extension SimpleNetworking: Described, Redacted {
    /// The type and the base URL, with secrets hidden.
    var shownText: String { "\(type(of: self))(\(Redaction.text(of: baseURL)))" }
}
