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
/// Make a subclass per API, restating `@unchecked Sendable`, and override `execute(request:)` for what all its requests
/// have in common. A client may be used from any thread. A request in flight keeps its client alive.
open class SimpleNetworking: @unchecked Sendable {
    struct State {
        var configuration: Configuration
        var session: ClientSession
        /// What was said wrongly; ends every request until it is put right.
        var mistake: SimpleNetworkingError?
        /// Whose Basic credentials the client sends.
        var user: String?

        init(_ session: URLSession?, _ configure: (inout Configuration) -> Void) {
            configuration = Configuration()
            configure(&configuration)
            configuration.limitTimeout()
            self.session = ClientSession(session, configuration)
        }
    }

    /// The address that paths are joined to.
    public var baseURL: URL { base.url }

    let state: Locked<State>
    let base: BaseAddress
    let flight = SingleFlight()
    let memory = SecretMemory()

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - baseURL: The address that paths are joined to; its path and query are kept.
    ///   - session: A session to use as it is. The default is nil: an engine of the client's own.
    ///   - maxRetries: How often `retry()` may send a request again. The default is the configuration's, 3.
    ///   - defaultHeaders: Header fields that every request carries, beside the configuration's.
    ///   - configure: Changes the configuration.
    public init(
        baseURL: URL,
        session: URLSession? = nil,
        maxRetries: Int? = nil,
        defaultHeaders: [String: String] = [:],
        configure: (inout Configuration) -> Void = { _ in }
    ) {
        base = BaseAddress(baseURL)
        state = Locked(
            State(session) { configuration in
                configure(&configuration)
                configuration.maxRetries = maxRetries ?? configuration.maxRetries
                configuration.defaultHeaders.merge(HTTPHeaders(defaultHeaders))
            }
        )
    }

    /// Makes a client for `https://host`.
    ///
    /// The host may have a port and a path, but no scheme; `baseURL:` takes a whole URL.
    ///
    /// A host that makes no address is no crash: each request ends with `.invalidURL`.
    public init(host: String, configure: (inout Configuration) -> Void = { _ in }) {
        let text = "https://" + host
        let hasScheme = host.contains("://")
        let url = hasScheme ? nil : URL(string: text).flatMap { $0.host?.isEmpty == false ? $0 : nil }
        base = BaseAddress(url ?? URL(fileURLWithPath: "/"))
        var state = State(nil, configure)
        if url == nil {
            state.mistake =
                hasScheme
                ? .invalidURL(host, reason: "give the client's host without a scheme, or the whole URL as baseURL")
                : .invalidURL(text, reason: "the client's host is not the name of a host")
        }
        self.state = Locked(state)
    }

    // MARK: Hooks, in the order in which they are called

    /// Executes a request: the one door that every request, every retry and every await goes through.
    ///
    /// Override it for what all requests to an API have in common, such as a handler for 401, and call `super`. It runs
    /// where `get(…)`, `execute(on:)` or `retry()` was called, on whichever thread; what a retry policy or
    /// `shouldRetry(_:error:attempt:)` sends again, and redirects, do not pass it once more.
    open func execute(request: SimpleRequest) { request.start(on: self) }

    /// Makes the address of a request.
    ///
    /// Override it for what all addresses have in common, such as a version before the path or a key in the query:
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
    /// Called once for each time the request passes `execute(request:)`, on that thread. Credentials in header fields
    /// are sent to the base URL's origin only, and to the trusted ones, whatever this returns; before adding one to the
    /// query, ask `trusts(_:)`.
    ///
    /// - Returns: An absolute address. The default is `url(forPath:query:)` of the request's path and query.
    /// - Throws: Whatever shall end the request; nothing is sent then. The default throws `.invalidURL`.
    open func url(for request: SimpleRequest) throws -> URL {
        let specification = request.specification
        return try url(forPath: specification.path, query: specification.query)
    }

    /// Gives the encoder of a request's content.
    ///
    /// Called after `url(for:)`, for the content of typed requests; `body(json:)` encodes at once, before there is a
    /// client.
    ///
    /// - Returns: The encoder. The default is the configuration's.
    open func encoder(for request: SimpleRequest) -> JSONEncoder { configuration.encoder }

    /// Changes what an attempt sends.
    ///
    /// Called before every attempt, on no particular thread: of handler requests, awaited, typed ones and transfers
    /// alike, but not again for redirects. What it sets wins over the request's and the client's own fields; a
    /// credential among it is taken out if the address is not of a trusted origin.
    ///
    /// - Parameters:
    ///   - attempt: What would be sent. Changes count for this attempt only.
    ///   - request: The request that is executed.
    /// - Throws: Whatever shall end the request; the attempt is not sent then.
    open func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {}

    /// Decides whether an answer is a success.
    ///
    /// Called once for each attempt's answer, on no particular thread, before status handlers run. What it throws is
    /// the error that the error handlers get, unless a status handler takes the request over.
    ///
    /// - Throws: Whatever is wrong with the answer. The default throws `response.error`: any status beside the
    ///   acceptable ones.
    open func validate(_ response: SimpleResponse) throws {
        if let error = response.error { throw error }
    }

    /// Decides whether an attempt that failed is sent again at once.
    ///
    /// Called when no answer came or when `validate(_:)` threw, and the retry policy does not send again; never for
    /// what was cancelled, could not be sent or could not be decoded. It has its way up to `maxRetries` times. To wait
    /// before the next attempt, or to renew what is needed for it, do so before returning true.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - error: What the attempt ended with.
    ///   - attempt: The attempt's number, from 1.
    /// - Returns: Whether to send again. The default is false.
    /// - Throws: What the request then ends with.
    open func shouldRetry(
        _ request: SimpleRequest,
        error: SimpleNetworkingError,
        attempt: Int
    ) async throws -> Bool { false }

    /// Gives the decoder of an answer's content.
    ///
    /// Called on no particular thread when a handler or an awaiting caller wants a value.
    ///
    /// - Returns: The decoder. The default is the configuration's.
    open func decoder(for request: SimpleRequest) -> any ResponseDecoder { configuration.decoder }

    /// Shows the base URL and the configuration to `dump` and debuggers, with secrets hidden.
    ///
    /// What a subclass adds is not shown: it may be a token.
    open var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "baseURL": Redaction.text(of: baseURL), "configuration": configuration,
        ]
        return Mirror(self, children: children, displayStyle: .class, ancestorRepresentation: .suppressed)
    }

    // MARK: Settings

    /// The configuration, `defaultHeaders` and `maxRetries` as they are now.
    public var configuration: Configuration { state.withLock { $0.configuration } }

    /// How often `retry()` may send a request again.
    ///
    /// The default is 3.
    public var maxRetries: Int {
        get { state.withLock { $0.configuration.maxRetries } }
        set { state.withLock { $0.configuration.maxRetries = newValue } }
    }

    /// How much is logged of what happens to requests.
    ///
    /// It may be changed at any time, from any thread; a request that is on its way takes it over with its next attempt.
    /// The default is the configured logger's, `warning`.
    public var logLevel: LogLevel {
        get { state.withLock { $0.configuration.logger.level } }
        set { state.withLock { $0.configuration.logger.level = newValue } }
    }

    /// The header fields that every request carries unless it has its own.
    ///
    /// Each attempt reads them anew; they may be changed from any thread, and setting a field to nil removes it.
    public var defaultHeaders: HTTPHeaders {
        get { state[member: \.configuration.defaultHeaders] }
        _modify { yield &state[member: \.configuration.defaultHeaders] }
    }

    /// The same as `defaultHeaders`.
    public var headers: HTTPHeaders {
        get { defaultHeaders }
        _modify { yield &defaultHeaders }
    }
}

extension SimpleNetworking: CustomStringConvertible, CustomReflectable {
    /// The type and the base URL, with secrets hidden.
    public var description: String { "\(type(of: self))(\(Redaction.text(of: baseURL)))" }
}
