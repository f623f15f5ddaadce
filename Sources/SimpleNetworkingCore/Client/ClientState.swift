import SimpleNetworkingSupport

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

        init(_ session: (any ClientSessionSource)?, _ configure: (inout Configuration) -> Void) {
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

    /// Replaces the session for new requests, after a change of the session's settings.
    package func replaceSession(_ edit: (inout Configuration) -> Void) {
        var configuration = configuration
        edit(&configuration)
        let settings = configuration.sessionSettings
        let session = ClientSession(nil, for: configuration)
        change { state in
            state.configuration.sessionSettings = settings
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
