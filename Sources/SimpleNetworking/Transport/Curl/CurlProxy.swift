#if canImport(CLibcurl) && os(Linux)
    /// Says which proxy a `CurlTransport` uses.
    public struct CurlProxy: Sendable {
        /// The proxy's address: `http`, `https`, `socks5` or `socks5h`.
        ///
        /// Nil for no proxy, whatever the environment says.
        public var url: URL?
        /// Hosts and domains that are reached without it.
        ///
        /// The default is none.
        public var exceptions: [String]
        /// The user and password for the proxy.
        ///
        /// The default is nil.
        public var credentials: (user: String, password: String)?

        /// Makes a proxy setting.
        public init(_ url: URL, exceptions: [String] = [], credentials: (user: String, password: String)? = nil) {
            self.url = url
            self.exceptions = exceptions
            self.credentials = credentials
        }

        private init() { exceptions = [] }

        /// Uses no proxy, whatever the environment says.
        public static let none = CurlProxy()
    }

    extension CurlProxy: CustomReflectable {
        /// Shows the proxy to `dump` and debuggers, without the user and the password.
        public var customMirror: Mirror {
            let children: KeyValuePairs<String, Any> = [
                "url": url.map { Redaction.text(of: $0) } as Any, "exceptions": exceptions,
                "credentials": credentials.map { _ in Redaction.mark } as Any,
            ]
            return Mirror(self, children: children, displayStyle: .struct)
        }
    }
#endif
