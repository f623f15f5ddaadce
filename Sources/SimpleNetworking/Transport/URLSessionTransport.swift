/// Sends requests through Foundation's `URLSession`: one of its own, or one that the caller passes.
///
/// Redirects and refused credentials are returned as the answers that they are; what to do about them is decided above.
/// Foundation joins the `Set-Cookie` fields of a response, and the transport splits them again where a comma, a space, a
/// name and `=` follow each other: a value that holds these is taken for two cookies.
/// Of the times only the request's `timeout` is kept, and content does not go to files.
///
/// On Linux, Foundation refuses content in a `Content-Encoding` that it does not know: a `NetworkFailure` of the kind
/// `.malformedResponse`. Elsewhere it comes as it is.
///
/// A stream that is slow to take its content holds the server back on Apple platforms. Foundation on Linux cannot do
/// that: what was sent meanwhile waits in memory, however much it is. A task that is suspended there loses its
/// connection, and repeats the request when it is resumed.
///
/// Where the process may open no more files, Foundation on Linux refuses connections: nothing waits for one, as it does
/// with libcurl. Six connections to a host, the session's default, seldom come so far.
///
/// When a kept connection breaks before any response, Foundation on Linux sends any request again, and does not tell.
/// There, requests that must not be sent twice run in a session of their own each, with the same configuration and
/// delegate, and as many of them at a time to one host as the configuration allows connections; those of a subclass of
/// `URLSession`, or with protocol classes, do not. `Expect: 100-continue` is not sent there: content is sent at once.
///
/// Progress counts received bytes as they come. Of compressed content Foundation shows only what is decompressed, so
/// that it counts once it is whole, with the length that the server announced, or the decompressed one.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    /// The delegate of a session of our own, nil for a caller's.
    let router: ExchangeRouter?
    private let defect: String?
    /// Whether something of the caller's takes requests in place of the network, and may look at their content.
    private let isMocked: Bool
    /// Where a caller's session finds cookies to add.
    private let cookieStorage: HTTPCookieStorage?
    /// The header fields that the session adds to each request that lacks them.
    let sessionHeaders: HTTPHeaders
    private let cookieWarning: Locked<RequestLogger?>
    private let queue = DispatchQueue(label: "SimpleNetworking.URLSessionTransport")
    #if !canImport(Darwin)
        private let singleUseSessions = SingleUseSessions()
    #endif

    /// Makes a transport with a session of its own, which is finished and invalidated when the transport goes.
    ///
    /// The configuration is copied. Its cache, cookie storage and credential storage are not used.
    ///
    /// - Parameters:
    ///   - configuration: The session's settings.
    ///   - delegate: Hears of all that the session tells, the tasks' callbacks included, on a serial queue, and is kept
    ///     as long as the session is. A callback that wants an answer, such as a challenge, goes to it first; if it does
    ///     not implement it, or answers with the default, the transport decides. It sees redirects, but its answer to
    ///     them does not count: they are returned. It must not cancel the tasks that it is shown.
    public init(
        configuration: URLSessionConfiguration = .ephemeral,
        delegate: (any URLSessionDelegate & Sendable)? = nil
    ) {
        let (prepared, defect) = configuration.prepared()
        let router = ExchangeRouter(delegate: delegate)
        self.router = router
        self.defect = defect
        isMocked = prepared.hasOwnProtocolClasses
        cookieStorage = nil
        sessionHeaders = HTTPHeaders(additional: configuration.httpAdditionalHeaders ?? [:])
        cookieWarning = Locked(nil)
        session = URLSession(configuration: prepared, delegate: router, delegateQueue: nil)
    }

    /// Makes a transport that uses a session as it is, and never changes or invalidates it.
    ///
    /// The session's delegate is asked about challenges and streams, and sees redirects, as with a session of the
    /// transport's own.
    ///
    /// Requests are made with `dataTask(with:completionHandler:)`, so a subclass that overrides it is asked. Foundation
    /// then hands over the content as a whole:
    ///
    /// - `maxResponseSize` ends the request with an error, but only after the content was received.
    /// - A stream gets the head and the whole content at the end, and nothing of an answer that is cut short.
    /// - Progress is reported once, at the end; on Linux without what was sent from a stream of unknown length.
    ///
    /// The session's own cookies are not sent. On Linux Foundation sends them all the same, in place of the request's
    /// `Cookie` field, unless the session's `httpShouldSetCookies` is false; the log warns of it once.
    ///
    /// A background session ends each request with an error. The session must not be invalidated while requests are made.
    public convenience init(session: URLSession) { self.init(session: session, logger: .system) }

    init(session: URLSession, logger: RequestLogger) {
        self.session = session
        router = nil
        let configuration = session.configuration
        isMocked = type(of: session) != URLSession.self || configuration.hasOwnProtocolClasses
        cookieWarning = Locked(logger)
        sessionHeaders = HTTPHeaders(additional: configuration.httpAdditionalHeaders ?? [:])
        #if canImport(Darwin)
            // Each request declines them.
            cookieStorage = nil
            defect = configuration.backgroundDefect
        #else
            cookieStorage = configuration.httpShouldSetCookies ? configuration.httpCookieStorage : nil
            defect = configuration.backgroundDefect ?? sessionHeaders.defect
        #endif
    }

    deinit {
        // A request in flight holds the transport, so no task can be made after this: Foundation would trap.
        if router != nil { session.finishTasksAndInvalidate() }
    }

    /// Sends one request and returns the server's answer.
    ///
    /// - Throws: `SimpleNetworkingError`, `NetworkFailure`, or `CancellationError` as soon as the task is cancelled.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        if let defect { throw SimpleNetworkingError.invalidRequest(reason: defect, request.head) }
        let urlRequest = try request.makeURLRequest(isForMock: isMocked)
        warnIfCookiesAreReplaced(of: request)
        let exchange = Exchange(request, on: queue)
        return try await withTaskCancellationHandler {
            queue.async { self.start(exchange, urlRequest) }
            return try await exchange.run()
        } onCancel: {
            exchange.breakOff(CancellationError())
        }
    }

    /// The cookies that a caller's session adds to a request by itself.
    func cookies(for url: URL) -> [String] {
        cookieStorage?.cookies(for: url)?.map { "\($0.name)=\($0.value)" }.sorted() ?? []
    }

    /// Warns once if Foundation sends other cookies than the request's, though the request declines them.
    private func warnIfCookiesAreReplaced(of request: TransportRequest) {
        let theirs = cookies(for: request.url)
        let own = (request.headers["Cookie"] ?? "").split(separator: ";").map { $0.trimmed }.sorted()
        guard !theirs.isEmpty, theirs != own else { return }
        cookieWarning.withLock { $0.take() }?.log(
            .warning,
            """
            Foundation on Linux sends the cookies of the session it was given, in place of the request's and the cookie \
            jar's. Give the client a session whose configuration has httpShouldSetCookies = false.
            """
        )
    }

    /// How many of an own session's tasks Foundation has not finished yet.
    var unfinishedTaskCount: Int { router?.count ?? 0 }

    private func start(_ exchange: Exchange, _ request: URLRequest) {
        guard !exchange.isOver else { return }
        #if !canImport(Darwin)
            if !exchange.request.head.isRepeatable, !isMocked { return startAlone(exchange, request) }
        #endif
        start(exchange, request, in: session, router)
    }

    #if !canImport(Darwin)
        private func startAlone(_ exchange: Exchange, _ request: URLRequest) {
            let delegate = router.map { $0.delegate.session } ?? session.delegate
            let host = Origin(exchange.request.url)
            singleUseSessions.start(for: host, like: session, delegate: delegate, on: queue) {
                if !exchange.isOver { self.start(exchange, request, in: $0, $1) }
            }
        }
    #endif

    private func start(
        _ exchange: Exchange,
        _ request: URLRequest,
        in session: URLSession,
        _ router: ExchangeRouter?
    ) {
        let task = makeTask(for: exchange, request, in: session, router)
        exchange.attach(task, looksIntoCache: self.router == nil && session.configuration.urlCache != nil)
        router?.add(exchange, for: task)
        task.resume()
    }

    private func makeTask(
        for exchange: Exchange,
        _ request: URLRequest,
        in session: URLSession,
        _ router: ExchangeRouter?
    ) -> URLSessionTask {
        guard router == nil else { return session.dataTask(with: request) }
        let task = session.dataTask(with: request) { data, response, error in
            exchange.complete(data: data, response: response, error: error)
        }
        if task.isFoundationsOwn { task.delegate = exchange }
        return task
    }
}

extension URLSessionTransport: CustomReflectable {
    /// Shows nothing: a session holds header fields and credentials.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
