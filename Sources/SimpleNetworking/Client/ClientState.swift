extension SimpleNetworking {
    /// What a client is set to at one moment.
    ///
    /// It never changes, but is replaced; reading it costs one reference.
    final class Settings: Sendable {
        let configuration: Configuration
        let session: ClientSession
        /// What was set wrongly; ends every request until it is corrected.
        let mistake: SimpleNetworkingError?
        /// The clock, if it is another than the system's: requests carry it to a stub.
        let testClock: Boxed<any RequestClock>?
        // Each handler asks for these, and a copy of the whole configuration costs more than all else there.
        let coders: Coders
        let chosenQueue: DispatchQueue?
        let ownQueue: OwnQueue?

        init(_ configuration: Configuration, _ session: ClientSession, _ mistake: SimpleNetworkingError? = nil) {
            self.configuration = configuration
            self.session = session
            self.mistake = mistake
            testClock = configuration.clock is SystemClock ? nil : Boxed(configuration.clock)
            coders = configuration.coders
            chosenQueue = configuration.chosenQueue
            ownQueue = configuration.ownQueue
        }
    }

    struct State {
        private(set) var settings: Settings
        /// Changes together with the credentials among the settings.
        var refresh = RefreshState()
        /// The user whose Basic credentials the client sends.
        var user: String?

        init(_ session: URLSession?, _ configure: (inout Configuration) -> Void) {
            var configuration = Configuration()
            configure(&configuration)
            configuration.limitTimeout()
            settings = Settings(configuration, ClientSession(session, for: configuration))
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

    /// Sends new requests over a new session, for example with other header fields after sign-in.
    ///
    /// Requests in flight finish on the previous session, which is then invalidated; a session that was passed to the
    /// client is left alone. With a `Configuration.transport` of your own, only the header fields change. It may be
    /// called on any thread. The settings take the place of `Configuration.sessionConfiguration`.
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

    /// Changes the state; every change passes through here.
    func change<Result>(_ body: (inout State) -> Result) -> Result { state.change(body) }
}

extension Locked<SimpleNetworking.State> {
    /// Changes a client's state, and releases afterwards what was replaced.
    ///
    /// The settings hold a user's objects, the phase of a refresh their errors and closures; an engine takes time to
    /// release.
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
    /// Uses a caller's session as it is, or makes an engine of the client's own.
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
