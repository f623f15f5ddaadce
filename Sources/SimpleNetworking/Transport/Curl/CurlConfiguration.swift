#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Configures a `CurlTransport`.
    public struct CurlConfiguration: Sendable {
        /// Connections to a host that responds promptly; further requests wait in order.
        ///
        /// The default is 32; more are not faster. An HTTP/2 connection takes up to 100 requests at a time.
        public var connectionsPerPromptHost = 32
        /// The maximum number of connections to one host.
        ///
        /// If a host completes no request for 20 ms (200 ms over TLS) while others wait, its number of connections
        /// doubles, up to this limit. The default is 1,024.
        public var connectionsPerHost = 1024
        /// The maximum number of connections in all; hosts take turns.
        ///
        /// The default is 4,096, or fewer if the process's limit of open files requires it: 64 of the files are
        /// reserved for other uses, or three quarters of them if the limit is below 86.
        public var connectionsInTotal = Self.mostConnections
        /// The connect timeout in seconds, which covers name lookup, TCP and TLS.
        ///
        /// Waiting for another request's first connection to the host is included. The default is 15.
        public var connectTimeout: TimeInterval = 15
        /// The idle timeout of an attempt in seconds; nil, the default, for none.
        public var idleTimeout: TimeInterval?
        /// The limit for all header fields of a response, in bytes.
        ///
        /// The default is 256 KiB. libcurl has limits of its own, which this can't raise: about 100 KB for one field, and
        /// in newer versions 300 KiB for all.
        public var maxHeaderSize = 256 << 10
        /// A file of PEM certificates to trust in place of the system's; nil, the default, for the system's.
        ///
        /// They count for servers, and for a proxy that is reached by https.
        public var caFile: URL?
        /// The certificate for the servers that it names; nil by default.
        public var clientCertificate: ClientCertificate?
        /// SHA-256 hashes of public keys in base64, one of which the server's must match; empty, the default, for any.
        ///
        /// Certificates are verified all the same.
        public var pinnedPublicKeys: [String] = []
        /// The proxy; nil, the default, for the environment's (`http_proxy`, `HTTPS_PROXY`, …).
        ///
        /// With a proxy, the environment's `NO_PROXY` doesn't count.
        public var proxy: CurlConfiguration.Proxy?

        /// Creates the default configuration.
        public init() {}

        private static let mostConnections: Int = {
            let limit = sn_file_limit()
            guard limit > 0 else { return 512 }
            let files = min(limit, 4096 + 64)
            return max(1, files - min(64, files * 3 / 4))
        }()

        /// Whether something is set that other engines would ignore, and that must not be ignored.
        var needsLibcurl: Bool {
            caFile != nil || clientCertificate != nil || !pinnedPublicKeys.isEmpty || proxy != nil
        }

        /// Names the files of a client certificate, in PEM format, and the servers that it is for.
        public struct ClientCertificate: Sendable {
            let certificate: URL
            let key: URL
            let password: String?
            /// In lower case; nil for the origins that may receive credentials.
            let hosts: Set<String>?

            /// Creates a client certificate.
            ///
            /// Servers that it is not for don't see it, even if they ask for one: neither the target of a redirect nor
            /// that of an absolute URL.
            ///
            /// - Parameters:
            ///   - certificate: The certificate, followed by intermediate ones.
            ///   - key: The private key.
            ///   - password: The key's password, if it has one.
            ///   - hosts: The hosts that it is for, on any port, such as `["api.example.com"]`. The default is nil: those
            ///     that receive a client's credentials, which are its base URL's origin and its `trustedOrigins`.
            public init(certificate: URL, key: URL, password: String? = nil, hosts: Set<String>? = nil) {
                self.certificate = certificate
                self.key = key
                self.password = password
                self.hosts = hosts.map { Set($0.map { $0.lowercased() }) }
            }

            func isOffered(to request: TransportRequest) -> Bool {
                guard let hosts else { return request.isTrusted }
                return request.url.host.map { hosts.contains($0.lowercased()) } ?? false
            }
        }
    }

    extension CurlConfiguration.ClientCertificate: Redacted {
        var shownMembers: KeyValuePairs<String, Any> {
            [
                "certificate": certificate.path, "key": key.path,
                "password": password.map { _ in Redaction.mark } as Any,
                "hosts": hosts?.sorted() as Any,
            ]
        }
    }

    extension CurlConfiguration {
        /// Configures the proxy of a `CurlTransport`.
        public struct Proxy: Sendable {
            /// Nil for no proxy.
            let url: URL?
            let exceptions: [String]
            let credentials: (user: String, password: String)?

            /// Creates a proxy setting.
            ///
            /// - Parameters:
            ///   - url: The proxy's URL, with the scheme `http`, `https`, `socks5` or `socks5h`.
            ///   - exceptions: Hosts and domains that are reached directly. The default is none.
            ///   - credentials: The user and password for the proxy. The default is nil.
            public init(_ url: URL, exceptions: [String] = [], credentials: (user: String, password: String)? = nil) {
                self.url = url
                self.exceptions = exceptions
                self.credentials = credentials
            }

            private init() {
                url = nil
                exceptions = []
                credentials = nil
            }

            /// Uses no proxy, even if the environment names one.
            public static let none = Proxy()
        }
    }

    extension CurlConfiguration.Proxy: Redacted {
        var shownMembers: KeyValuePairs<String, Any> {
            [
                "url": url.map { Redaction.text(of: $0) } as Any, "exceptions": exceptions,
                "credentials": credentials.map { _ in Redaction.mark } as Any,
            ]
        }
    }
#endif
