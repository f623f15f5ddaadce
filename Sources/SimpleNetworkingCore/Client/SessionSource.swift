import SimpleNetworkingSupport

/// A session with which a client sends its requests; with `import SimpleNetworking`, `URLSession` is one.
///
/// For other ways to send requests, set a ``Transport`` in the client's configuration.
public protocol ClientSessionSource: Sendable {}

/// Creates the transport of a session that a caller passes to a client.
package protocol SessionSource: ClientSessionSource {
    /// The header fields that the session adds to every request.
    var addedHeaders: HTTPHeaders { get }
    /// Creates a transport that uses the session unchanged.
    func makeTransport(for configuration: SimpleNetworking.Configuration) -> any Transport
}

/// Creates a client's own `URLSession`; `Platform` conforms to it in programs with the module `SimpleNetworking`.
package protocol SessionProvider: Sendable {
    /// Creates the transport of a client that has no other.
    static func makeTransport(for configuration: SimpleNetworking.Configuration) -> any Transport
    /// Returns the header fields in the session's settings.
    static func headers(of configuration: SimpleNetworking.Configuration) -> HTTPHeaders
    /// Returns the time after which the session would end a request; nil if the settings haven't been used.
    static func resourceTimeout(of configuration: SimpleNetworking.Configuration) -> TimeInterval?
}

extension Platform {
    /// The provider of `URLSession`; nil in a program without the module `SimpleNetworking`.
    static let sessionProvider = Platform.self as Any.Type as? any SessionProvider.Type
}

/// Holds the settings of a client's own `URLSession`, which the module `SimpleNetworking` knows.
///
/// Settings are an object. Copies of a configuration share them until one copy gets others.
package struct SessionSettings: Sendable {
    private let settings: Locked<(any Sendable)?>
    /// The session's delegate.
    package var delegate: (any AnyObject & Sendable)?

    init() { settings = Locked(nil) }

    /// Holds these settings.
    package init(_ settings: any Sendable, _ delegate: (any AnyObject & Sendable)?) {
        self.settings = Locked(settings)
        self.delegate = delegate
    }

    /// The settings; nil if they haven't been used.
    package var used: (any Sendable)? { settings.withLock { $0 } }

    /// Returns the settings, and creates them at the first use.
    package func value<Settings: Sendable>(or make: () -> Settings) -> Settings {
        settings.withLock { settings in
            if let settings = settings as? Settings { return settings }
            let made = make()
            settings = made
            return made
        }
    }
}

extension ClientSession {
    /// Creates a session that uses the caller's transport or session unchanged, or else the client's own engine.
    init(_ session: (any ClientSessionSource)?, for configuration: SimpleNetworking.Configuration) {
        let source = session as? any SessionSource
        let provider = Platform.sessionProvider
        let transport =
            configuration.transport ?? session.map { _ in
                source?.makeTransport(for: configuration)
                    ?? RefusingTransport(reason: "only a URLSession can be a client's session; set a transport instead")
            } ?? provider?.makeTransport(for: configuration) ?? PlatformTransport.make()
        let headers = source?.addedHeaders ?? provider?.headers(of: configuration) ?? [:]
        self.init(transport, isCallersOwn: configuration.transport != nil, headers: headers)
    }
}
