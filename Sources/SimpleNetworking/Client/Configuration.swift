extension SimpleNetworking {
    /// Holds the settings that a client's requests have in common.
    public struct Configuration: Sendable {
        /// Seconds that one attempt may take in total, unless the session configuration's `timeoutIntervalForResource`
        /// is shorter; the default is 60.
        public var timeout: TimeInterval = 60

        /// Seconds that an execution may take in total, including attempts, delays and re-authentication.
        ///
        /// Streams and downloads end with it, too. The default is nil: no limit.
        public var deadline: TimeInterval?

        /// How often `retry()` may send a request again; the default is 3: four sends.
        public var maxRetries = 3

        /// Header fields that every request carries, unless it has its own.
        ///
        /// The default is none. If neither these, nor the session configuration, nor the request has a `User-Agent`, it
        /// names the program and this library: `Shop/2.1 SimpleNetworking/… (macOS 14.5)`, or the executable if the
        /// program has no `Info.plist`. An empty value sends none; URLSession then adds its own.
        public var defaultHeaders: HTTPHeaders = [:]

        /// The names of further header fields that are credentials, like `Authorization` and `Cookie`; the default is none.
        ///
        /// Their values are hidden in logs and descriptions, and never sent to other origins than the base URL's.
        public var secretHeaders: Set<String> = []

        /// Names of header fields that are not credentials: they are sent to other origins too, and don't separate
        /// stored responses.
        ///
        /// Redirects, page links and absolute URLs can lead to another origin. Only harmless fields are sent there
        /// (`Accept`, `Accept-Language`, `User-Agent`, `Range`, `If-None-Match`, those of the content and a few more),
        /// and those named here; any other field could be a key. Fields that are secret, by name or marked, are never
        /// shared; use ``trustedOrigins`` for them. The default is none.
        public var sharedHeaders: Set<String> = []

        /// Origins besides the base URL's that receive all header fields, including credentials; the default is none.
        public var trustedOrigins: Set<Origin> = []

        /// The statuses that count as success; the default is 200...299.
        public var acceptableStatuses = HTTPStatuses.successful

        /// How many requests are sent, and how fast; by default as many and as fast as they come.
        public var traffic = TrafficRules()

        /// When a failed attempt is sent again automatically; the default is `.never`.
        public var retryPolicy = RetryPolicy.never

        /// Limits which share of the client's requests may be retries; the default is nil: no limit.
        public var retryAllowance: RetryAllowance?

        /// Which redirects are followed; the default is `.follow`: up to 20, and none from https to http.
        public var redirectPolicy = RedirectPolicy.follow

        /// Signs attempts, and refreshes a credential that the server refuses; the default is none: credentials are
        /// header fields, and handlers refresh them.
        public var authenticator: (any Authenticator)? { didSet { authenticatorSetting = AuthenticatorSetting() } }
        /// Tells whether another authenticator was set since.
        private(set) var authenticatorSetting: AuthenticatorSetting?

        /// Seconds that a refresh of a credential may take, by default 30; all requests that wait for it then end with
        /// `.authentication`.
        public var refreshTimeout: TimeInterval = 30

        /// Whether new requests wait while an authenticator refreshes its credential, which is the default; otherwise
        /// they are sent with the old one.
        public var waitsForRefresh = true

        /// Sees every attempt before it is sent and its response afterwards, outermost first; the default is none.
        public var middleware: [any Middleware] = []

        /// Encodes the values that requests send as JSON.
        ///
        /// The default writes dates as ISO 8601, in UTC. It is used from any thread, so do not change it afterwards.
        public var encoder: JSONEncoder {
            get { coders.encoder }
            set { coders.encoder = newValue }
        }

        /// Decodes values from the content of responses.
        ///
        /// The default reads JSON, with dates in ISO 8601, with or without fractions of a second. It is used from
        /// several threads at once, so do not change it afterwards.
        public var decoder: any ResponseDecoder {
            get { coders.decoder }
            set { coders.decoder = newValue }
        }

        /// Keeps cookies; the default is nil: cookies are neither kept nor sent.
        public var cookieJar: CookieJar?

        /// Stores responses, and serves them without a request to the server; the default is nil: nothing is stored.
        ///
        /// A session of your own may still have a cache, which is used after this one.
        public var cache: ResponseCache?

        /// How requests use the cache, unless they set a policy of their own; the default is `.use`.
        public var cachePolicy = CachePolicy.use

        /// Bytes that a response's content may have, decompressed; the default is 64 MiB.
        public var maxResponseSize = 64 << 20

        /// The queue on which handlers run that were written outside any actor.
        ///
        /// The default is the main queue on Apple platforms, and a serial queue of the client's own elsewhere, since a
        /// command-line tool may not run its main queue. By default, handlers that nonisolated code adds while it runs
        /// on the main actor run there; once a queue is set, it runs all handlers written outside any actor.
        ///
        /// With libcurl, the client's own queue saves time: while few requests are in flight, its handlers run
        /// on the thread that received the response, without waking another one.
        public var callbackQueue: DispatchQueue {
            get { chosenQueue ?? ownQueue?.queue ?? .main }
            set { chosenQueue = newValue }
        }
        /// The callback queue that was set by hand, if any.
        private(set) var chosenQueue: DispatchQueue?
        /// The client's own queue; nil for the main queue.
        private(set) var ownQueue: OwnQueue?

        /// The settings of the client's own session.
        ///
        /// The default is an ephemeral configuration. On Linux, libcurl replaces URLSession and uses its header fields,
        /// timeouts and connections per host; a configuration with protocol classes selects URLSession. Its cache,
        /// cookies and credential storage are never used.
        public var sessionConfiguration: URLSessionConfiguration = .ephemeral

        /// Receives all callbacks that the client's own session sends to its delegate and its tasks' delegates.
        ///
        /// Callbacks that need a response, such as a challenge, go to it first; the client handles those that it leaves
        /// to the default. It sees redirects, but `redirectPolicy` decides about them. It is called on a queue of the
        /// session's, and must not cancel tasks; call `cancel()` on the request instead. On Linux it selects
        /// URLSession, since libcurl has no delegate. If you pass your own `session:`, its setting applies. The default
        /// is nil.
        public var sessionDelegate: (any URLSessionDelegate & Sendable)?

        /// Sends requests and receives their responses; the default is nil: libcurl on Linux if a suitable version is
        /// installed, URLSession otherwise.
        public var transport: (any Transport)?

        /// Measures timeouts, deadlines and delays; the default is the system's clock.
        public var clock: any RequestClock = SystemClock()

        /// Logs what happens; see ``LogLevel`` for what each level writes.
        ///
        /// The default writes warnings and unhandled errors, to the unified log on Apple platforms and to standard
        /// error elsewhere.
        public var logger = RequestLogger.system

        /// Receive every event of the client's requests, in this order; the default is none.
        public var eventMonitors: [any EventMonitor] = []

        private(set) var coders = Coders()

        /// Creates the default configuration.
        public init() {
            #if !canImport(Darwin)
                ownQueue = OwnQueue()
            #endif
        }

        /// Limits the timeout to the session configuration's, which ends an attempt if it is shorter.
        mutating func limitTimeout() { timeout = min(timeout, sessionConfiguration.timeoutIntervalForResource) }

        /// Whether an origin may receive credentials.
        func trusts(_ origin: Origin, besides base: URL) -> Bool {
            origin == Origin(base) || trustedOrigins.contains(origin)
        }

        /// Lets a scheduler run all that the client would run on threads and queues.
        package mutating func simulate(on scheduler: Scheduler) {
            chosenQueue = nil
            ownQueue = OwnQueue(scheduler: scheduler)
        }

        /// What runs the client's tasks in a simulation; nil without one.
        package var scheduler: Scheduler? { ownQueue?.scheduler }
    }
}

extension SimpleNetworking.Configuration: Redacted {
    /// Of the caller's own objects, such as an authenticator or middleware, only the type.
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
