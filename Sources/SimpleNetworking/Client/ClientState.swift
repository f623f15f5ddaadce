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

        init(_ configuration: Configuration, _ session: ClientSession, _ mistake: SimpleNetworkingError? = nil) {
            (self.configuration, self.session, self.mistake) = (configuration, session, mistake)
            testClock = configuration.clock is SystemClock ? nil : Boxed(configuration.clock)
        }
    }

    struct State {
        private(set) var settings: Settings
        /// Changes together with the credentials among the settings.
        var flight = FlightState()
        /// The user whose Basic credentials the client sends.
        var user: String?

        init(_ session: URLSession?, _ configure: (inout Configuration) -> Void) {
            var configuration = Configuration()
            configure(&configuration)
            configuration.limitTimeout()
            settings = Settings(configuration, ClientSession(session, configuration))
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
        let session = ClientSession(nil, configuration)
        let former = state.withLock { state in
            state.configuration.sessionConfiguration = sessionConfiguration
            state.configuration.limitTimeout()
            defer { state.session = session }
            return state.session
        }
        // Outside the lock: releasing an engine takes time.
        withExtendedLifetime(former) {}
    }
}

/// Holds what a client sends its requests over: the engine, and the header fields that belong to it.
struct ClientSession: Sendable {
    let transport: any Transport
    #if canImport(CLibcurl) && os(Linux)
        /// The transport, if it is libcurl's.
        let libcurl: CurlTransport?
    #endif
    let headers: HTTPHeaders
    /// The fields that Foundation's session adds to every request by itself.
    let headersOfSession: HTTPHeaders

    /// Uses a caller's session as it is, or makes an engine of the client's own.
    init(_ session: URLSession?, _ configuration: SimpleNetworking.Configuration) {
        let settings = session?.configuration ?? configuration.sessionConfiguration
        var headers = HTTPHeaders(additional: settings.httpAdditionalHeaders ?? [:])
        let logger = configuration.logger
        if let transport = configuration.transport {
            self.transport = transport
        } else if let session {
            transport = URLSessionTransport(session: session, logger: logger)
        } else {
            let copied = (settings.copy() as? URLSessionConfiguration) ?? .ephemeral
            // They are added to each request instead: a session would send credentials among them to every origin.
            copied.httpAdditionalHeaders = nil
            transport = PlatformTransport.make(for: copied, delegate: configuration.sessionDelegate, logger: logger)
        }
        #if canImport(CLibcurl) && os(Linux)
            libcurl = transport as? CurlTransport
        #endif
        headersOfSession = (transport as? URLSessionTransport)?.sessionHeaders ?? [:]
        if configuration.transport != nil { headers.merge(headersOfSession) }
        self.headers = headers
    }
}
