extension SimpleNetworking {
    /// Holds an immutable snapshot of a client's settings.
    ///
    /// Each change replaces the snapshot, so that reading the settings costs only one retain.
    final class Settings: Sendable {
        let configuration: Configuration
        let session: ClientSession
        /// The configuration error, which ends every request until it is corrected.
        let mistake: SimpleNetworkingError?
        /// The clock, if it isn't the system's clock; requests pass it to a stub.
        let testClock: Boxed<any RequestClock>?
        // Every handler reads these, and copying the whole configuration would cost more than all its other work.
        let coders: Coders
        let decoding: ResponseDecoding
        let chosenQueue: DispatchQueue?
        let ownQueue: OwnQueue?
        let features: [any Feature.Type]

        init(_ configuration: Configuration, _ session: ClientSession, _ mistake: SimpleNetworkingError? = nil) {
            self.configuration = configuration
            self.session = session
            self.mistake = mistake
            testClock = configuration.clock is SystemClock ? nil : Boxed(configuration.clock)
            coders = configuration.coders
            let logger = configuration.logger
            decoding = ResponseDecoding(coders: coders, warn: { logger.log(.warning, $0) })
            chosenQueue = configuration.chosenQueue
            ownQueue = configuration.ownQueue
            features = configuration.options.features
        }
    }

    struct State {
        private(set) var settings: Settings
        /// The refresh state, which changes together with the credentials in the settings.
        var refresh = RefreshState()
        /// The user whose Basic credentials the client sends.
        var user: String?

        init(_ session: URLSession?, _ configure: (inout Configuration) -> Void) {
            var configuration = Configuration()
            configure(&configuration)
            configuration.limitTimeout()
            settings = Settings(configuration, ClientSession(session, for: configuration), configuration.mistake)
        }

        var configuration: Configuration {
            get { settings.configuration }
            _modify {
                var configuration = settings.configuration
                defer { settings = Settings(configuration, session, mistake) }
                yield &configuration
            }
        }
        var session: ClientSession {
            get { settings.session }
            set { settings = Settings(configuration, newValue, mistake) }
        }
        var mistake: SimpleNetworkingError? {
            get { settings.mistake }
            set { settings = Settings(configuration, session, newValue) }
        }
    }

    /// Replaces the session for new requests, for example, to send different header fields after sign-in.
    ///
    /// Requests in flight finish on the previous session. The client then invalidates the previous session, unless you
    /// passed it to the client. If you set your own `Configuration.transport`, only the header fields change. The new
    /// settings replace `Configuration.sessionConfiguration`. You can call this method from any thread.
    public func replaceSession(configuration sessionConfiguration: URLSessionConfiguration) {
        var configuration = configuration
        configuration.sessionConfiguration = sessionConfiguration
        let session = ClientSession(nil, for: configuration)
        change { state in
            state.configuration.sessionConfiguration = sessionConfiguration
            state.configuration.limitTimeout()
            state.session = session
        }
    }

    /// Changes the state; every change goes through this method.
    func change<Result>(_ body: (inout State) -> Result) -> Result { state.change(body) }
}

extension Locked<SimpleNetworking.State> {
    /// Changes a client's state, then releases the replaced objects.
    ///
    /// The replaced objects are released outside the lock, because the settings hold the caller's objects, a refresh
    /// phase holds the caller's errors and closures, and releasing an engine takes time.
    func change<Result>(_ body: (inout SimpleNetworking.State) -> Result) -> Result {
        let (result, settings, phase) = withLock { state in
            let settings = state.settings
            let phase = state.refresh.phase
            return (body(&state), settings, phase)
        }
        withExtendedLifetime((settings, phase)) {}
        return result
    }
}

extension ClientSession {
    /// Creates a session that uses the caller's session unchanged, or a new engine if there is none.
    fileprivate init(_ session: URLSession?, for configuration: SimpleNetworking.Configuration) {
        self.init(
            transport: configuration.transport,
            session: session,
            settings: session?.configuration ?? configuration.sessionConfiguration,
            delegate: configuration.sessionDelegate,
            logger: configuration.logger
        )
    }
}
