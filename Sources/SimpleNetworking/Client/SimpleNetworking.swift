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
        /// What was said wrongly; ends every request until it is put right.
        var mistake: SimpleNetworkingError?
    }

    /// The address that paths are joined to.
    public var baseURL: URL { base.url }

    let state: Locked<State>
    private let base: BaseAddress
    private let transport: any Transport
    private let sessionHeaders: HTTPHeaders

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
        var configuration = Configuration()
        configure(&configuration)
        configuration.maxRetries = maxRetries ?? configuration.maxRetries
        configuration.defaultHeaders.merge(HTTPHeaders(defaultHeaders))
        configuration.timeout = min(
            configuration.timeout,
            configuration.sessionConfiguration.timeoutIntervalForResource
        )
        base = BaseAddress(baseURL)
        let sessionConfiguration = session?.configuration ?? configuration.sessionConfiguration
        sessionHeaders = HTTPHeaders(additional: sessionConfiguration.httpAdditionalHeaders ?? [:])
        transport = Self.transport(session: session, configuration)
        state = Locked(State(configuration: configuration))
    }

    /// Makes a client for `https://host`.
    ///
    /// The host may have a port and a path.
    ///
    /// A host that makes no address is no crash: each request ends with `.invalidURL`.
    public convenience init(host: String, configure: (inout Configuration) -> Void = { _ in }) {
        let text = "https://" + host
        if let url = URL(string: text), url.host?.isEmpty == false {
            self.init(baseURL: url, configure: configure)
        } else {
            self.init(baseURL: URL(fileURLWithPath: "/"), configure: configure)
            let mistake = SimpleNetworkingError.invalidURL(text, reason: "the client's host is not the name of a host")
            state.withLock { $0.mistake = mistake }
        }
    }

    /// Executes a request: the one door that every request, every retry and every await goes through.
    ///
    /// Override it for what all requests to an API have in common, such as a handler for 401, and call `super`. It runs
    /// where `get(…)`, `execute(on:)` or `retry()` was called, on whichever thread; what a retry policy sends again, and
    /// redirects, do not pass it once more.
    open func execute(request: SimpleRequest) { request.start(on: self) }

    /// The configuration, `defaultHeaders` and `maxRetries` as they are now.
    public var configuration: Configuration { state.withLock { $0.configuration } }

    /// How often `retry()` may send a request again.
    ///
    /// The default is 3.
    public var maxRetries: Int {
        get { state.withLock { $0.configuration.maxRetries } }
        set { state.withLock { $0.configuration.maxRetries = newValue } }
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

extension SimpleNetworking {
    private static func transport(session: URLSession?, _ configuration: Configuration) -> any Transport {
        if let transport = configuration.transport { return transport }
        if let session { return URLSessionTransport(session: session) }
        let copied = (configuration.sessionConfiguration.copy() as? URLSessionConfiguration) ?? .ephemeral
        // They are added to each request instead: a session would send credentials among them to any origin.
        copied.httpAdditionalHeaders = nil
        return PlatformTransport.make(
            for: copied,
            delegate: configuration.sessionDelegate,
            logger: configuration.logger
        )
    }
}

extension SimpleNetworking: RequestExecutor {
    var executionSettings: ExecutionSettings {
        state.withLock { state in
            ExecutionSettings(
                callbackQueue: state.configuration.callbackQueue,
                maxRetries: state.configuration.maxRetries,
                deadline: state.configuration.deadline,
                takeoverTimeout: state.configuration.takeoverTimeout,
                clock: state.configuration.clock,
                logger: state.configuration.logger
            )
        }
    }

    func plan(for specification: RequestSpecification) throws(SimpleNetworkingError) -> RequestPlan {
        if let mistake = state.withLock({ $0.mistake }) { throw mistake }
        let configuration = configuration
        let maker = try RequestMaker(
            specification,
            base: base,
            trustedOrigins: configuration.trustedOrigins,
            sessionHeaders: sessionHeaders
        )
        let (request, withheld) = try maker.request(with: configuration)
        let retryPolicy = specification.retryPolicy ?? configuration.retryPolicy
        return RequestPlan(
            request: request,
            withheld: withheld,
            baseURL: baseURL,
            otherOrigins: configuration.trustedOrigins,
            secretNames: maker.secretNames(with: configuration),
            transport: transport,
            cookieJar: configuration.cookieJar,
            clock: configuration.clock,
            policies: (
                retryPolicy,
                configuration.redirectPolicy,
                specification.acceptableStatuses ?? configuration.acceptableStatuses
            ),
            remake: retryPolicy.attempts > 1 ? remake(with: maker) : nil
        )
    }
}

extension SimpleNetworking {
    fileprivate func remake(with maker: RequestMaker) -> RequestPlan.Maker {
        { [state] () throws(SimpleNetworkingError) in try maker.request(with: state.withLock { $0.configuration }).0 }
    }
}

extension SimpleNetworking: CustomStringConvertible {
    /// The type and the base URL, with secrets hidden.
    public var description: String { "\(type(of: self))(\(Redaction.text(of: baseURL)))" }
}
