extension SimpleNetworking {
    /// What a client is set to at one moment.
    ///
    /// It never changes, but is replaced; reading it costs one reference.
    final class Settings: Sendable {
        let configuration: Configuration
        let session: ClientSession
        /// What was set wrongly; ends every request until it is corrected.
        let mistake: SimpleNetworkingError?
        /// The user whose Basic credentials the client sends.
        let user: String?

        init(_ configuration: Configuration, _ session: ClientSession, _ mistake: SimpleNetworkingError?, user: String?)
        {
            (self.configuration, self.session, self.mistake, self.user) = (configuration, session, mistake, user)
        }
    }

    struct State {
        private(set) var settings: Settings
        /// Changes together with the credentials among the settings.
        var flight = FlightState()

        init(_ session: URLSession?, _ configure: (inout Configuration) -> Void) {
            var configuration = Configuration()
            configure(&configuration)
            configuration.limitTimeout()
            settings = Settings(configuration, ClientSession(session, configuration), nil, user: nil)
        }

        var configuration: Configuration {
            get { settings.configuration }
            _modify {
                var configuration = settings.configuration
                defer { settings = Settings(configuration, session, mistake, user: user) }
                yield &configuration
            }
        }
        var session: ClientSession {
            get { settings.session }
            set { settings = Settings(configuration, newValue, mistake, user: user) }
        }
        var mistake: SimpleNetworkingError? {
            get { settings.mistake }
            set { settings = Settings(configuration, session, newValue, user: user) }
        }
        var user: String? {
            get { settings.user }
            set { settings = Settings(configuration, session, mistake, user: newValue) }
        }
    }
}
