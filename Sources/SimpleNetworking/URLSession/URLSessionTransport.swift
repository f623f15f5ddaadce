import SimpleNetworkingSupport

/// Sends requests with a Foundation `URLSession`, either the transport's own or one that you pass.
///
/// - The transport returns redirects and rejected credentials as responses. The client decides how to handle them.
/// - Foundation joins `Set-Cookie` fields. The transport splits joined fields at each comma that is followed by a
///   space, a name and `=`. It mistakes a cookie value that contains such a sequence for two cookies.
/// - The client enforces the request's `timeout`. The transport rounds the request's `idleTimeout` up to whole seconds,
///   and ignores its `connectTimeout`.
/// - Progress counts received bytes as they arrive. Foundation exposes compressed content only after decompressing it.
///   Therefore, compressed content is counted once it is complete, using the length that the server announced, if any,
///   or else the decompressed length.
///
/// On Linux, Foundation behaves differently:
///
/// - Content with an unknown `Content-Encoding` causes a `NetworkFailure` of the kind `.malformedResponse`.
/// - Streams have no backpressure: if you read slowly, the remaining content accumulates in memory without limit.
/// - If the process can't open more files, connections fail. With libcurl, requests wait instead.
/// - If a reused connection breaks before any response arrives, Foundation silently resends the request, regardless of
///   its method. Therefore, each request that must not be sent twice uses its own session, with the same configuration
///   and delegate. The number of such sessions for each host is limited to the number of connections that the
///   configuration allows. With a subclass of `URLSession` or with protocol classes, requests don't use their own
///   sessions.
/// - Foundation doesn't send `Expect: 100-continue`, and sends content at once.
public final class URLSessionTransport: EngineTransport {
    private let session: URLSession
    /// The delegate of the transport's own session; nil for a caller's session.
    let router: ExchangeRouter?
    private let defect: String?
    /// Whether the caller's code handles requests instead of the network, and may read their content.
    private let isMocked: Bool
    package let traits: EngineTraits
    private let cookieWarning: Locked<RequestLogger?>
    private let queue = DispatchQueue(label: "SimpleNetworking.URLSessionTransport")
    #if !canImport(Darwin)
        private let singleUses = ConcurrencyLimit<Origin?>()
    #endif

    /// Creates a transport with its own session.
    ///
    /// When the transport is released, it finishes and invalidates the session. The transport copies the configuration,
    /// and doesn't use its cache, cookie storage or credential storage.
    ///
    /// - Parameters:
    ///   - configuration: The session's settings.
    ///   - delegate: The delegate that receives all callbacks of the session and its tasks, on a serial queue. The
    ///     delegate is retained as long as the session. If the delegate doesn't handle a challenge, or selects the
    ///     default handling, the transport decides. The transport ignores the delegate's decisions on redirects, and
    ///     returns redirects as responses. The delegate must not cancel tasks.
    public init(
        configuration: URLSessionConfiguration = .ephemeral,
        delegate: (any URLSessionDelegate & Sendable)? = nil
    ) {
        let (prepared, defect) = configuration.prepared()
        let router = ExchangeRouter(delegate: delegate)
        self.router = router
        self.defect = defect
        isMocked = prepared.hasOwnProtocolClasses
        traits = EngineTraits(addedHeaders: HTTPHeaders(additional: configuration.httpAdditionalHeaders ?? [:]))
        cookieWarning = Locked(nil)
        session = URLSession(configuration: prepared, delegate: router, delegateQueue: nil)
    }

    /// Creates a transport that uses a session unchanged and never invalidates it.
    ///
    /// The session's delegate handles challenges and streams and is notified of redirects, like a delegate of the
    /// transport's own session.
    ///
    /// The transport creates tasks with `dataTask(with:completionHandler:)`, which a subclass may override. Foundation
    /// then delivers the content as a whole:
    ///
    /// - If the content exceeds `maxResponseSize`, the request fails, but only after all the content has been received.
    /// - A stream receives the head and all content at the end. If the response is incomplete, the stream receives
    ///   nothing.
    /// - Progress is reported once, at the end. On Linux, progress doesn't include the bytes sent from a stream of
    ///   unknown length.
    ///
    /// The transport doesn't send the session's own cookies. On Linux, however, Foundation sends the session's cookies
    /// instead of the request's `Cookie` field, unless the session's `httpShouldSetCookies` is false. The transport
    /// logs one warning about this.
    ///
    /// With a background session, every request fails. Don't invalidate the session while requests are in flight.
    public convenience init(session: URLSession) { self.init(session: session, logger: .system) }

    init(session: URLSession, logger: RequestLogger) {
        self.session = session
        router = nil
        let configuration = session.configuration
        isMocked = type(of: session) != URLSession.self || configuration.hasOwnProtocolClasses
        cookieWarning = Locked(logger)
        let headers = HTTPHeaders(additional: configuration.httpAdditionalHeaders ?? [:])
        #if canImport(Darwin)
            // Each request declines cookies.
            let cookieStorage: HTTPCookieStorage? = nil
            defect = configuration.backgroundDefect
        #else
            let cookieStorage = configuration.httpShouldSetCookies ? configuration.httpCookieStorage : nil
            defect = configuration.backgroundDefect ?? headers.defect
        #endif
        traits = EngineTraits(addedHeaders: headers, addedCookies: { cookieStorage?.pairs(for: $0) ?? [] })
    }

    deinit {
        // A request in flight retains the transport; a task created after this would trap.
        if router != nil { session.finishTasksAndInvalidate() }
    }

    /// Sends one request and returns the server's response.
    ///
    /// - Throws: `SimpleNetworkingError`, `NetworkFailure`, or `CancellationError` as soon as the task is cancelled.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        if let defect { throw SimpleNetworkingError.invalidRequest(reason: defect, request.head) }
        // The session needs a stream that it can read at any time.
        let content = try await request.collectChunks()
        defer { withExtendedLifetime(content) {} }
        var request = request
        if let content { request.body = .file(content.url) }
        let urlRequest = try request.makeURLRequest(isForMock: isMocked)
        warnIfCookiesAreReplaced(of: request)
        let exchange = Exchange(request, on: queue)
        return try await withTaskCancellationHandler {
            queue.async { self.start(exchange, urlRequest) }
            return try await exchange.run()
        } onCancel: {
            exchange.fail(CancellationError())
        }
    }

    /// Logs one warning if Foundation replaces the request's cookies even though the request declines that.
    private func warnIfCookiesAreReplaced(of request: TransportRequest) {
        let theirs = traits.addedCookies(request.url)
        let own = (request.headers["Cookie"] ?? "").pieces(between: ";").map { $0.trimmed }.sorted()
        guard !theirs.isEmpty, theirs != own else { return }
        cookieWarning.take()?.log(
            .warning,
            """
            Foundation on Linux sends the cookies of the session it was given, in place of the request's and the cookie \
            jar's. Give the client a session whose configuration has httpShouldSetCookies = false.
            """
        )
    }

    var unfinishedTaskCount: Int { router?.count ?? 0 }

    private func start(_ exchange: Exchange, _ request: URLRequest) {
        guard !exchange.isOver else { return }
        #if !canImport(Darwin)
            if !exchange.request.head.isRepeatable, !isMocked { return startInSingleUse(exchange, request) }
        #endif
        start(exchange, request, in: session, router)
    }

    #if !canImport(Darwin)
        /// Starts a request that must not be sent twice in its own session, with a new connection.
        ///
        /// The request starts as soon as its host has fewer of these sessions than the configuration allows
        /// connections. The session is separate because FoundationNetworking silently resends requests that were lost
        /// with a reused connection.
        private func startInSingleUse(_ exchange: Exchange, _ request: URLRequest) {
            let host = Origin(exchange.request.url)
            let configuration = session.configuration
            singleUses.begin(host, limit: configuration.httpMaximumConnectionsPerHost) {
                let delegate = self.router.map { $0.delegate.session } ?? self.session.delegate
                let router = ExchangeRouter(delegate: delegate) { [queue = self.queue, singleUses = self.singleUses] in
                    queue.async { singleUses.end(host) }
                }
                let queue = self.session.delegateQueue
                let session = URLSession(configuration: configuration, delegate: router, delegateQueue: queue)
                if !exchange.isOver { self.start(exchange, request, in: session, router) }
                session.finishTasksAndInvalidate()
            }
        }
    #endif

    private func start(_ exchange: Exchange, _ request: URLRequest, in session: URLSession, _ router: ExchangeRouter?) {
        let task: URLSessionTask
        if let router {
            task = session.dataTask(with: request)
            router.add(exchange, for: task)
        } else {
            task = session.dataTask(with: request) { data, response, error in
                exchange.complete(data: data, response: response, error: error, isCollected: true)
            }
            if task.isFoundationsOwn { task.delegate = exchange }
        }
        // A test's own task without a request would trap.
        if let priority = exchange.request.taskPriority, task.isFoundationsOwn { task.priority = priority }
        exchange.attach(task, usesCache: self.router == nil && session.configuration.urlCache != nil)
        task.resume()
    }
}

extension HTTPCookieStorage {
    /// The names and values that a session adds to a request.
    fileprivate func pairs(for url: URL) -> [String] {
        cookies(for: url)?.map { "\($0.name)=\($0.value)" }.sorted() ?? []
    }
}

// A session contains header fields and credentials.
extension URLSessionTransport: Redacted {}

extension URLSessionConfiguration {
    /// Copies the configuration for the transport's own session.
    ///
    /// `defect` is why that session can't send anything.
    func prepared() -> (configuration: URLSessionConfiguration, defect: String?) {
        // Creating a background session has side effects in the system.
        if let backgroundDefect { return (.ephemeral, backgroundDefect) }
        let copied = (copy() as? URLSessionConfiguration) ?? .ephemeral
        // On Linux, these three take a third of a request's time, and the cache stores nothing.
        copied.urlCache = nil
        copied.httpCookieStorage = nil
        copied.urlCredentialStorage = nil
        copied.httpCookieAcceptPolicy = .never
        copied.httpShouldSetCookies = false
        copied.requestCachePolicy = .reloadIgnoringLocalCacheData
        copied.timeoutIntervalForRequest = copied.timeoutIntervalForRequest.clampedSeconds
        copied.timeoutIntervalForResource = copied.timeoutIntervalForResource.clampedSeconds
        let headers = HTTPHeaders(additional: copied.httpAdditionalHeaders ?? [:])
        copied.httpAdditionalHeaders = headers.defect == nil && !headers.isEmpty ? headers.dictionary : nil
        return (copied, headers.defect)
    }

    /// The reason why a background session can't be used: a task with a completion handler raises an exception.
    var backgroundDefect: String? {
        guard identifier != nil else { return nil }
        return "a background session outlives the client and its handlers. Use a default or an ephemeral one"
    }

    /// Whether the configuration has protocol classes in addition to Foundation's, as mocks do.
    var hasOwnProtocolClasses: Bool {
        let usual = Set((URLSessionConfiguration.ephemeral.protocolClasses ?? []).map(ObjectIdentifier.init))
        return protocolClasses?.contains { !usual.contains(ObjectIdentifier($0)) } ?? false
    }
}

extension HTTPHeaders {
    /// Creates fields from the session's additional fields.
    ///
    /// Non-string values are converted to their descriptions, because FoundationNetworking traps on such values.
    init(additional: [AnyHashable: Any]) {
        self.init()
        for (name, value) in additional {
            append((name as? String) ?? "\(name.base)", (value as? String) ?? "\(value)")
        }
    }
}
