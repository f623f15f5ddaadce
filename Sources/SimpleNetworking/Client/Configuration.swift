extension SimpleNetworking {
    /// Holds the settings that a client's requests share.
    public struct Configuration: Sendable {
        /// The time limit for one attempt, in seconds; the default is 60.
        ///
        /// A shorter `timeoutIntervalForResource` of the session configuration takes precedence.
        public var timeout: TimeInterval = 60

        /// The time limit for a whole execution, in seconds, including attempts, delays and re-authentication.
        ///
        /// The deadline also ends streams and downloads. The default is nil: no limit.
        public var deadline: TimeInterval?

        /// The maximum number of retries by `retry()`; the default is 3, which allows four attempts in total.
        public var maxRetries = 3

        /// The header fields sent with every request, unless the request sets its own.
        ///
        /// The default is none. If neither these fields nor the session configuration nor the request has a
        /// `User-Agent`, the client sends one that identifies the program and this library:
        /// `Shop/2.1 SimpleNetworking/… (macOS 14.5)`. If the program has no `Info.plist`, its executable is named
        /// instead. If the value is empty, the client sends none; URLSession then adds its own.
        public var defaultHeaders: HTTPHeaders = [:]

        /// The names of additional credential fields, treated like `Authorization` and `Cookie`; the default is none.
        ///
        /// The values of these fields are hidden in logs and descriptions, and sent only to the base URL's origin and
        /// trusted origins.
        public var secretHeaders: Set<String> = []

        /// The names of header fields that aren't credentials and may be sent to other origins; the default is none.
        ///
        /// Redirects, page links and absolute URLs can lead to another origin. That origin receives only the fields
        /// named here and known-safe ones: `Accept`, `Accept-Language`, `User-Agent`, `Range`, `If-None-Match`,
        /// content fields and a few more. Any other field could be a credential. Secret fields are never shared; to
        /// send them to another origin, use ``trustedOrigins``.
        ///
        /// Requests that differ only in these fields share cached responses, unless `Vary` names the fields.
        public var sharedHeaders: Set<String> = []

        /// Further origins that receive all header fields, including credentials; the default is none.
        ///
        /// The base URL's origin always receives them.
        public var trustedOrigins: Set<Origin> = []

        /// The statuses that count as success; the default is 200...299.
        public var acceptableStatuses = HTTPStatuses.successful

        /// The limits on how many requests are sent, and how fast; by default there are none.
        public var traffic = TrafficRules()

        /// The policy for automatic retries of failed attempts; the default is `.never`.
        public var retryPolicy = RetryPolicy.never

        /// The limit on the share of the client's requests that may be retries; the default is nil: no limit.
        public var retryAllowance: RetryAllowance?

        /// The redirect policy; the default is `.follow`: up to 20 redirects, and none from https to http.
        public var redirectPolicy = RedirectPolicy.follow

        /// The authenticator, which signs attempts and refreshes rejected credentials; the default is nil.
        ///
        /// Without an authenticator, set credentials as header fields and refresh them in handlers.
        public var authenticator: (any Authenticator)? { didSet { authenticatorSetting = AuthenticatorSetting() } }
        /// Identifies the current authenticator setting, so that a later change can be detected.
        private(set) var authenticatorSetting: AuthenticatorSetting?

        /// The time limit for refreshing a credential, in seconds; the default is 30.
        ///
        /// If a refresh exceeds the limit, all requests that wait for the refresh end with `.authentication`.
        public var refreshTimeout: TimeInterval = 30

        /// Whether new requests wait while an authenticator refreshes its credential; the default is true.
        ///
        /// If false, new requests are sent with the old credential.
        public var waitsForRefresh = true

        /// The middleware for every attempt and its response, outermost first; the default is none.
        public var middleware: [any Middleware] = []

        /// The encoder for values that requests send as JSON.
        ///
        /// The default writes dates as ISO 8601, in UTC. The encoder is used from any thread, so don't change it
        /// after you set it.
        public var encoder: JSONEncoder {
            get { coders.encoder }
            set { coders.encoder = newValue }
        }

        /// The decoder for the content of responses.
        ///
        /// The default reads JSON with ISO 8601 dates, with or without fractional seconds. The decoder is used from
        /// several threads at once, so don't change it after you set it.
        public var decoder: any ResponseDecoder {
            get { coders.decoder }
            set { coders.decoder = newValue }
        }

        /// The cookie jar; the default is nil: cookies are neither stored nor sent.
        public var cookieJar: CookieJar?

        /// The cache, which can serve responses without a request to the server; the default is nil: no cache.
        ///
        /// If you pass your own session, its cache, if any, is used after this one.
        public var cache: ResponseCache?

        /// The cache policy for requests that don't set their own; the default is `.use`.
        public var cachePolicy = CachePolicy.use

        /// The maximum size of a response's decompressed content, in bytes; the default is 64 MiB.
        public var maxResponseSize = 64 << 20

        /// The queue for handlers defined outside any actor.
        ///
        /// On Apple platforms, the default is the main queue. On other platforms, it is the client's own serial
        /// queue, because a command-line tool may not run its main queue. By default, a handler that nonisolated code
        /// adds while running on the main actor runs on the main actor; once you set a queue, all handlers defined
        /// outside any actor run on that queue.
        ///
        /// With libcurl, the client's own queue is faster: while few requests are in flight, its handlers run on the
        /// thread that received the response.
        public var callbackQueue: DispatchQueue {
            get { chosenQueue ?? ownQueue?.queue ?? .main }
            set { chosenQueue = newValue }
        }
        /// The callback queue that was set explicitly, if any.
        private(set) var chosenQueue: DispatchQueue?
        /// The client's own queue; nil for the main queue.
        private(set) var ownQueue: OwnQueue?

        /// The settings for the client's own session.
        ///
        /// The default is an ephemeral configuration. On Linux, libcurl replaces URLSession and uses the
        /// configuration's header fields, timeouts and limit on connections per host. A configuration with protocol
        /// classes selects URLSession. The configuration's cache, cookies and credential storage are never used.
        public var sessionConfiguration: URLSessionConfiguration = .ephemeral

        /// The delegate that receives all callbacks of the client's own session and its tasks; the default is nil.
        ///
        /// Callbacks that need a response, such as a challenge, go to the delegate first; the client handles those
        /// for which the delegate chooses the default handling. The delegate sees redirects, but `redirectPolicy`
        /// decides whether they are followed. It is called on a session queue, and must not cancel tasks; call
        /// `cancel()` on the request instead. On Linux, setting a delegate selects URLSession, since libcurl has no
        /// delegate. If you pass your own `session:`, that session's delegate is used instead.
        public var sessionDelegate: (any URLSessionDelegate & Sendable)?

        /// The transport, which sends requests and receives their responses; the default is nil.
        ///
        /// If nil, the client uses libcurl on Linux if a suitable version is installed, and URLSession otherwise.
        public var transport: (any Transport)?

        /// The clock that measures timeouts, deadlines and delays; the default is the system's clock.
        public var clock: any RequestClock = SystemClock()

        /// The client's logger; see ``LogLevel`` for the messages of each level.
        ///
        /// By default, warnings and unhandled errors are written to the unified log on Apple platforms and to
        /// standard error elsewhere.
        public var logger = RequestLogger.system

        /// The monitors that receive every event of the client's requests, in this order; the default is none.
        public var eventMonitors: [any EventMonitor] = []

        private(set) var coders = Coders()

        /// Creates the default configuration.
        public init() {
            #if !canImport(Darwin)
                ownQueue = OwnQueue()
            #endif
        }

        /// Limits the timeout to the session configuration's, which would end an attempt earlier.
        mutating func limitTimeout() { timeout = min(timeout, sessionConfiguration.timeoutIntervalForResource) }

        /// Returns whether an origin may receive credentials.
        func trusts(_ origin: Origin, besides base: URL) -> Bool {
            origin == Origin(base) || trustedOrigins.contains(origin)
        }

        /// Makes a scheduler run all work that the client would run on threads and queues.
        package mutating func simulate(on scheduler: Scheduler) {
            chosenQueue = nil
            ownQueue = OwnQueue(scheduler: scheduler)
        }

        /// The scheduler that runs the client's tasks in a simulation; nil otherwise.
        package var scheduler: Scheduler? { ownQueue?.scheduler }
    }
}

extension SimpleNetworking.Configuration: Redacted {
    /// The settings, with only the types of the caller's own objects, such as an authenticator or middleware.
    var shownMembers: KeyValuePairs<String, Any> {
        var fields = defaultHeaders
        for name in secretHeaders { fields.markSecret(name) }
        return [
            "timeout": timeout, "deadline": deadline as Any, "refreshTimeout": refreshTimeout,
            "maxRetries": maxRetries, "maxResponseSize": maxResponseSize, "defaultHeaders": fields,
            "secretHeaders": secretHeaders.sorted(), "sharedHeaders": sharedHeaders.sorted(),
            "trustedOrigins": trustedOrigins.map { "\($0)" }.sorted(), "acceptableStatuses": acceptableStatuses,
            "traffic": traffic,
            "redirectPolicy": name(redirectPolicy), "retryPolicy": retryPolicy, "cachePolicy": cachePolicy,
            "retryAllowance": name(retryAllowance), "waitsForRefresh": waitsForRefresh,
            "authenticator": name(authenticator),
            "middleware": middleware.map(name), "cookieJar": name(cookieJar), "cache": name(cache),
            "decoder": name(decoder), "callbackQueue": callbackQueue.label, "sessionDelegate": name(sessionDelegate),
            "transport": name(transport), "clock": name(clock), "logger": logger.level,
            "eventMonitors": eventMonitors.map(name),
        ]
    }

    private func name<Value>(_ value: Value?) -> String { value.map { "\(type(of: $0 as Any))" } ?? "none" }
}
