extension SimpleNetworking {
    /// Holds what a client's requests have in common.
    public struct Configuration: Sendable {
        /// Seconds that one attempt may take in all, as far as the session configuration's `timeoutIntervalForResource`
        /// is not shorter.
        ///
        /// The default is 60.
        public var timeout: TimeInterval = 60

        /// Seconds that an execution may take in all, attempts, delays and re-authentication counted in.
        ///
        /// The default is nil: no limit.
        public var deadline: TimeInterval?

        /// Seconds that a request waits for whoever else holds it, when a status handler returned false and kept nothing of it.
        ///
        /// It then ends with `.abandoned`. The default is 30. A handler that keeps the request it was given, in a closure
        /// or a property, may take all the time it needs.
        public var takeoverTimeout: TimeInterval = 30

        /// How often `retry()` may send a request again.
        ///
        /// The default is 3: four sends.
        public var maxRetries = 3

        /// Header fields that every request carries, unless it has its own.
        ///
        /// The default is none. Where neither these, nor the session configuration, nor the request has a `User-Agent`, the
        /// program and this library are named: `Shop/2.1 SimpleNetworking/… (macOS 14.5)`, or the executable's name where
        /// the program has no `Info.plist`. An empty one sends none; URLSession then adds its own.
        public var defaultHeaders: HTTPHeaders = [:]

        /// Names of header fields that are credentials beside the known ones, such as `Authorization` and `Cookie`:
        /// they are hidden in every text, and never leave the base URL's origin.
        ///
        /// The default is none.
        public var secretHeaders: Set<String> = []

        /// Names of header fields that are no credentials: they go to other origins, too, and make no difference to the
        /// response cache.
        ///
        /// Across origins, which redirects, page links and absolute URLs lead to, only fields go along that are known to be
        /// harmless (`Accept`, `Accept-Language`, `User-Agent`, `Range`, `If-None-Match`, those of the content and a few
        /// more) and those named here; every other one could be a key. Fields that are secret, by name or marked, are not
        /// shared though they are named: ``trustedOrigins`` is for these. The default is none.
        public var sharedHeaders: Set<String> = []

        /// Origins beside the base URL's that all header fields may be sent to, credentials included.
        ///
        /// The default is none.
        public var trustedOrigins: Set<Origin> = []

        /// Statuses that count as success.
        ///
        /// The default is 200...299.
        public var acceptableStatuses = HTTPStatuses.successful

        /// When an attempt that failed is sent again without being asked.
        ///
        /// The default is `.never`.
        public var retryPolicy = RetryPolicy.never

        /// Which redirects are followed.
        ///
        /// The default is `.follow`: up to 20, and none from https to http.
        public var redirectPolicy = RedirectPolicy.follow

        /// What signs attempts, and renews the credential that the server refuses.
        ///
        /// The default is none: credentials are header fields, and handlers renew them.
        public var authenticator: (any Authenticator)?

        /// Seconds that a renewal of a credential may take; all who wait for it then end with `.authentication`.
        ///
        /// The default is 30.
        public var renewalTimeout: TimeInterval = 30

        /// Whether new requests wait while an authenticator's credential is being renewed, or go out with the old one.
        ///
        /// The default is true: they wait.
        public var waitsForRenewal = true

        /// What sees every attempt on its way out and the answer on its way back, outermost first.
        ///
        /// The default is none.
        public var middleware: [any Middleware] = []

        /// What makes JSON of the values that requests send.
        ///
        /// The default writes dates as ISO 8601, in UTC. It is used from any thread, so do not change it afterwards.
        public var encoder: JSONEncoder {
            get { coders.encoder }
            set { coders.encoder = newValue }
        }

        /// What makes values of the content that comes back.
        ///
        /// The default reads JSON, with dates in ISO 8601, with fractions of a second or without. It is used from any
        /// thread, from several at once, so do not change it afterwards.
        public var decoder: any ResponseDecoder {
            get { coders.decoder }
            set { coders.decoder = newValue }
        }

        /// Where cookies are kept.
        ///
        /// The default is nil: cookies are neither kept nor sent.
        public var cookieJar: CookieJar?

        /// Where answers are kept, to be given again without asking the server.
        ///
        /// The default is nil: nowhere. A caller's own session may still have a cache of its own, which is asked after
        /// this one.
        public var cache: ResponseCache?

        /// What requests do with the cache, unless they say so themselves.
        ///
        /// The default is `.use`.
        public var cachePolicy = CachePolicy.use

        /// Bytes that an answer's content may have, decompressed.
        ///
        /// The default is 64 MiB.
        public var maxResponseSize = 64 << 20

        /// Where handlers run that were written outside any actor.
        ///
        /// The default is the main queue on Apple platforms, and a serial queue of the client's own elsewhere, since
        /// nothing may serve a tool's main queue; but handlers added by code of no actor's that a task or a handler of the
        /// main actor calls run on the main actor. Once set, it is the place of all handlers written outside any actor.
        ///
        /// On Linux a queue whose target is a global one saves a sixth of the time of a request, if no handler ever blocks:
        /// one that does can hold up all Swift tasks of the process, for seconds on few cores.
        public var callbackQueue: DispatchQueue {
            get { callbackQueues.chosen ?? callbackQueues.usual }
            set { callbackQueues.chosen = newValue }
        }
        private(set) var callbackQueues: CallbackQueues

        /// The settings of the client's own session.
        ///
        /// The default is an ephemeral configuration. On Linux, where libcurl takes the place of URLSession, its header
        /// fields, timeouts and connections per host are carried over; one with protocol classes of its own selects
        /// URLSession. Its cache, cookies and credential storage are used nowhere.
        public var sessionConfiguration: URLSessionConfiguration = .ephemeral

        /// What hears of all that the client's own session tells its delegate and its tasks' delegates.
        ///
        /// Callbacks that want an answer, such as a challenge, go to it first; what it leaves to the default is the
        /// client's to answer. It sees redirects, but `redirectPolicy` decides about them. It is called on a queue of the
        /// session's, and must not cancel tasks: `cancel()` on the request does. On Linux it selects URLSession, since
        /// libcurl has no delegate. A `session:` of yours brings its own. The default is nil.
        public var sessionDelegate: (any URLSessionDelegate & Sendable)?

        /// What moves the bytes.
        ///
        /// The default is nil: libcurl on Linux, where a fitting one is found, and URLSession elsewhere.
        public var transport: (any Transport)?

        /// What timeouts, deadlines and delays are kept with.
        ///
        /// The default is the system's clock.
        public var clock: any RequestClock = SystemClock()

        /// What writes down what happens; see ``LogLevel`` for what is written.
        ///
        /// The default writes warnings and errors that nobody hears of, to the unified log on Apple platforms and to
        /// standard error elsewhere.
        public var logger = RequestLogger.system

        /// What hears of everything that happens to requests, in this order.
        ///
        /// The default is none.
        public var eventMonitors: [any EventMonitor] = []

        private var coders = Coders()

        /// Makes the default configuration.
        public init() {
            #if canImport(Darwin)
                callbackQueues = CallbackQueues(usual: .main)
            #else
                callbackQueues = CallbackQueues(usual: DispatchQueue(label: "SimpleNetworking.callbacks"))
            #endif
        }

        /// An attempt ends with the session configuration's limit if that is the shorter one.
        mutating func limitTimeout() { timeout = min(timeout, sessionConfiguration.timeoutIntervalForResource) }
    }
}
