import SimpleNetworkingSupport

extension SimpleNetworking.Configuration {
    /// The settings for the client's own session.
    ///
    /// The default is an ephemeral configuration. On Linux, libcurl replaces URLSession and uses the configuration's
    /// header fields, timeouts and limit on connections per host. If the configuration has protocol classes, the client
    /// uses URLSession instead. The client never uses the configuration's cache, cookies or credential storage.
    public var sessionConfiguration: URLSessionConfiguration {
        get { sessionSettings.value { .ephemeral } }
        set { sessionSettings = SessionSettings(newValue, sessionSettings.delegate) }
    }

    /// The delegate that receives all callbacks of the client's own session and its tasks; the default is nil.
    ///
    /// The delegate is the first to receive callbacks that need a decision, such as an authentication challenge. If the
    /// delegate chooses the default handling, the client handles the callback. The delegate sees redirects, but
    /// `redirectPolicy` decides whether the client follows them. Delegate methods run on a session queue, and must not
    /// cancel tasks. To cancel a request, call its `cancel()` method instead. If you set a delegate on Linux, the client
    /// uses URLSession, because libcurl has no delegate. If you pass your own session to the client, the client uses
    /// that session's delegate instead.
    public var sessionDelegate: (any URLSessionDelegate & Sendable)? {
        get { sessionSettings.delegate as? any URLSessionDelegate & Sendable }
        set { sessionSettings.delegate = newValue }
    }
}

extension SimpleNetworking {
    /// Creates a client with a session, which may be written as `.shared`.
    ///
    /// The parameters are those of the initializer that takes a `ClientSessionSource`.
    @_disfavoredOverload
    public convenience init(
        baseURL: URL,
        session: URLSession,
        maxRetries: Int? = nil,
        defaultHeaders: [String: String] = [:],
        configure: (inout Configuration) -> Void = { _ in }
    ) {
        let source: any ClientSessionSource = session
        self.init(
            baseURL: baseURL,
            session: source,
            maxRetries: maxRetries,
            defaultHeaders: defaultHeaders,
            configure: configure
        )
    }

    /// Replaces the session for new requests, for example, to send different header fields after sign-in.
    ///
    /// Requests in flight finish on the previous session. The client then invalidates the previous session, unless you
    /// passed it to the client. If you set your own `Configuration.transport`, only the header fields change. The new
    /// settings replace `Configuration.sessionConfiguration`. You can call this method from any thread.
    public func replaceSession(configuration sessionConfiguration: URLSessionConfiguration) {
        replaceSession { $0.sessionConfiguration = sessionConfiguration }
    }
}
