import SimpleNetworkingSupport

extension SimpleNetworking {
    /// Holds the settings that a client's requests share.
    public struct Configuration: Sendable {
        /// The time limit for one attempt, in seconds; the default is 60.
        ///
        /// If the session configuration's `timeoutIntervalForResource` is shorter, it takes precedence.
        public var timeout: TimeInterval = 60

        /// The time limit for a whole execution, in seconds, including attempts, delays and re-authentication.
        ///
        /// The deadline also ends streams and downloads. The default is nil, which means no limit.
        public var deadline: TimeInterval?

        /// The maximum number of retries that `retry()` can start.
        ///
        /// The default is 3, which allows four attempts in total. This number also limits how deeply requests can be made
        /// by the handlers of other requests. Requests that a handler makes on another queue, such as with
        /// `DispatchQueue.async`, aren't counted.
        public var maxRetries = 3

        /// The header fields that the client sends with every request, unless the request sets them itself.
        ///
        /// The default contains no fields. If the default header fields, the session configuration and the request all
        /// lack a `User-Agent`, the client sends a value that identifies the program and this library, for example,
        /// `Shop/2.1 SimpleNetworking/… (macOS 14.5)`. If the program has no `Info.plist`, the value contains the name
        /// of the executable instead. If you set `User-Agent` to an empty string, the client doesn't send the field,
        /// but URLSession adds its own value.
        public var defaultHeaders: HTTPHeaders = [:]

        /// The names of additional header fields that the client treats as credentials.
        ///
        /// The client treats additional credential fields the same way as `Authorization` and `Cookie`: it hides their
        /// values in logs and descriptions, and sends the fields only to the base URL's origin and trusted origins. The
        /// default is an empty set.
        public var secretHeaders: Set<String> = []

        /// The names of header fields that aren't credentials and that other origins may receive.
        ///
        /// Redirects, links and absolute URLs can lead to another origin. The other origin receives only the fields in
        /// this set and fields that are known to be safe: `Accept`, `Accept-Language`, `User-Agent`, `Range`,
        /// `If-None-Match`, content fields and a few more. The client withholds any other field, because it could be a
        /// credential. Secret fields are never shared. To send secret fields to another origin, add the origin to
        /// ``trustedOrigins``. The default is an empty set.
        ///
        /// Requests that differ only in shared header fields can use the same cached response, unless the response's
        /// `Vary` lists those fields.
        public var sharedHeaders: Set<String> = []

        /// Additional origins that receive all header fields, including credentials.
        ///
        /// The base URL's origin always receives all header fields. The default is an empty set.
        public var trustedOrigins: Set<Origin> = []

        /// The statuses that count as success; the default is 200...299.
        public var acceptableStatuses = HTTPStatuses.successful

        /// The policy for automatic retries of failed attempts; the default is `.never`.
        public var retryPolicy = RetryPolicy.never

        /// The redirect policy; the default is `.follow`.
        ///
        /// With `.follow`, the client follows up to 20 redirects, but none from HTTPS to HTTP.
        public var redirectPolicy = RedirectPolicy.follow

        /// The authenticator, which signs attempts and refreshes rejected credentials; the default is nil.
        ///
        /// Without an authenticator, set credentials as header fields and refresh them in handlers.
        public var authenticator: (any Authenticator)? { didSet { authenticatorSetting = AuthenticatorSetting() } }
        /// The identity of the current authenticator setting, which reveals later changes.
        private(set) var authenticatorSetting: AuthenticatorSetting?

        /// The time limit for refreshing a credential, in seconds; the default is 30.
        ///
        /// If a refresh exceeds the limit, all requests that wait for the refresh end with `.authentication`.
        public var refreshTimeout: TimeInterval = 30

        /// Whether new requests wait while an authenticator refreshes its credential; the default is true.
        ///
        /// If false, new requests are sent with the old credential.
        public var waitsForRefresh = true

        /// The middleware that handles every attempt and its response, from the outermost to the innermost.
        ///
        /// The default is an empty array.
        public var middleware: [any Middleware] = []

        /// The encoder for values that requests send as JSON.
        ///
        /// The default encoder writes dates as ISO 8601, in UTC. The client uses the encoder on any thread, so don't
        /// change the encoder after you set it.
        public var encoder: JSONEncoder {
            get { coders.encoder }
            set { coders.encoder = newValue }
        }

        /// The decoder for the content of responses.
        ///
        /// The default decoder reads JSON with ISO 8601 dates, with or without fractional seconds. The client uses the
        /// decoder on several threads at once, so don't change the decoder after you set it.
        public var decoder: any ResponseDecoder {
            get { coders.decoder }
            set { coders.decoder = newValue }
        }

        /// The maximum size of a response's decompressed content, in bytes; the default is 64 MiB.
        ///
        /// The limit applies to error responses and to content in memory, but not to streams and files.
        public var maxResponseSize = 64 << 20

        /// The queue for handlers defined outside any actor.
        ///
        /// On Apple platforms, the default is the main queue. On other platforms, the default is the client's own
        /// serial queue, because a command-line tool might not run its main queue. By default, if nonisolated code adds
        /// a handler while it runs on the main actor, the handler also runs on the main actor. Once you set a queue,
        /// all handlers defined outside any actor run on that queue.
        ///
        /// With libcurl, handlers run with less delay on the client's own queue, because the thread that received the
        /// response also runs the handlers while few requests are in flight.
        public var callbackQueue: DispatchQueue {
            get { chosenQueue ?? ownQueue?.queue ?? .main }
            set { chosenQueue = newValue }
        }
        /// The callback queue that was set explicitly, if any.
        private(set) var chosenQueue: DispatchQueue?
        /// The client's own queue, or nil if the client uses the main queue.
        private(set) var ownQueue: OwnQueue?

        /// The settings of the client's own `URLSession`, which another module creates when they are first used.
        package var sessionSettings = SessionSettings()

        /// The transport, which sends requests and receives their responses; the default is nil.
        ///
        /// If the transport is nil, the client uses libcurl on Linux when a suitable version is installed, and
        /// URLSession otherwise.
        public var transport: (any Transport)?

        /// The clock that measures timeouts, deadlines and delays; the default is the system's clock.
        public var clock: any RequestClock = SystemClock()

        /// The client's logger.
        ///
        /// By default, warnings and unhandled errors are written to the unified log on Apple platforms, and to standard
        /// error on other platforms. For the messages of each level, see ``LogLevel``.
        public var logger = RequestLogger.system

        /// The monitors that receive every event of the client's requests, in the order of the array.
        ///
        /// The default is an empty array.
        public var eventMonitors: [any EventMonitor] = []

        private(set) var coders = Coders()

        /// The options that other modules have added.
        var options = Options()

        /// Creates the default configuration.
        public init() {
            #if !canImport(Darwin)
                ownQueue = OwnQueue()
            #endif
        }

        /// Limits the timeout to the resource timeout of the session's settings, which would end an attempt earlier.
        package mutating func limitTimeout() {
            timeout = min(timeout, Platform.sessionProvider?.resourceTimeout(of: self) ?? timeout)
        }

        /// Returns whether an origin may receive credentials.
        func trusts(_ origin: Origin, besides base: URL) -> Bool {
            origin == Origin(base) || trustedOrigins.contains(origin)
        }

        /// Makes a scheduler run all work that the client would run on threads and queues.
        package mutating func simulate(on scheduler: Scheduler) {
            chosenQueue = nil
            ownQueue = OwnQueue(scheduler: scheduler)
        }

        /// The scheduler that runs the client's tasks in a simulation, or nil outside a simulation.
        package var scheduler: Scheduler? { ownQueue?.scheduler }
    }
}

extension SimpleNetworking.Configuration: Redacted {
    /// The settings, which show only the types of the caller's own objects, such as an authenticator or middleware.
    package var shownMembers: KeyValuePairs<String, Any> {
        var fields = defaultHeaders
        for name in secretHeaders { fields.markSecret(name) }
        return [
            "timeout": timeout, "deadline": deadline as Any, "refreshTimeout": refreshTimeout,
            "maxRetries": maxRetries, "maxResponseSize": maxResponseSize,
            "defaultHeaders": fields,
            "secretHeaders": Array(secretHeaders).sorted(), "sharedHeaders": Array(sharedHeaders).sorted(),
            "trustedOrigins": trustedOrigins.map { "\($0)" }.sorted(), "acceptableStatuses": acceptableStatuses,
            "redirectPolicy": name(redirectPolicy), "retryPolicy": retryPolicy,
            "waitsForRefresh": waitsForRefresh, "authenticator": name(authenticator),
            "middleware": middleware.map(name),
            "decoder": name(decoder), "callbackQueue": callbackQueue.label,
            "sessionDelegate": name(sessionSettings.delegate),
            "transport": name(transport), "clock": name(clock), "logger": logger.level,
            "eventMonitors": eventMonitors.map(name), "options": options.shownTexts,
        ]
    }

    private func name<Value>(_ value: Value?) -> String { value.map { "\(type(of: $0 as Any))" } ?? "none" }
}
