#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Configures a `CurlTransport`.
    public struct CurlConfiguration: Sendable {
        /// The maximum number of connections to a host that responds promptly; further requests wait in order.
        ///
        /// The default is 32; more connections are not faster. An HTTP/2 connection carries up to 100 requests at a
        /// time.
        public var connectionsPerPromptHost = 32
        /// The maximum number of connections to one host.
        ///
        /// If a host completes no request for 20 ms (200 ms over TLS) while others wait, its number of connections
        /// doubles, up to this limit. The default is 1,024.
        public var connectionsPerHost = 1024
        /// The maximum number of connections to all hosts; when it is reached, hosts take turns.
        ///
        /// The default is 4,096, or fewer if the process's limit on open files is low: the client leaves 64 file
        /// descriptors for other uses, or three quarters of the limit if the limit is below 86.
        public var connectionsInTotal = Self.mostConnections
        /// The connect timeout in seconds, which covers name lookup, TCP and TLS.
        ///
        /// It includes waiting for another request's first connection to the host. The default is 15.
        public var connectTimeout: TimeInterval = 15
        /// The idle timeout of each attempt, in seconds.
        ///
        /// The default is nil, which means no timeout.
        public var idleTimeout: TimeInterval?
        /// The limit for all header fields of a response, in bytes.
        ///
        /// The default is 256 KiB. It can't raise libcurl's own limits, which are about 100 KB for one field and, in
        /// newer versions, 300 KiB for all fields.
        public var maxHeaderSize = 256 << 10
        /// A file of PEM certificates to trust instead of the system's; the default is nil, for the system's.
        ///
        /// They apply to servers, and to a proxy that is reached over https.
        public var caFile: URL?
        /// The client certificate and the servers that receive it; the default is nil.
        public var clientCertificate: ClientCertificate?
        /// The pinned public keys, as base64-encoded SHA-256 hashes; the default is empty, for no pinning.
        ///
        /// The server's public key must match one of them. Certificates are verified as well.
        public var pinnedPublicKeys: [String] = []
        /// The proxy; the default is nil, which uses the environment's (`http_proxy`, `HTTPS_PROXY`, …).
        ///
        /// If you set a proxy, the environment's `NO_PROXY` is ignored.
        public var proxy: CurlConfiguration.Proxy?

        /// Creates the default configuration.
        public init() {}

        private static let mostConnections: Int = {
            let limit = sn_file_limit()
            guard limit > 0 else { return 512 }
            let files = min(limit, 4096 + 64)
            return max(1, files - min(64, files * 3 / 4))
        }()

        /// Whether it contains settings that other engines would ignore but that must not be ignored.
        var needsLibcurl: Bool {
            caFile != nil || clientCertificate != nil || !pinnedPublicKeys.isEmpty || proxy != nil
        }

        /// Names the PEM files of a client certificate, and the servers that receive it.
        public struct ClientCertificate: Sendable {
            let certificate: URL
            let key: URL
            let password: String?
            /// The hosts, in lowercase; nil for the origins that may receive credentials.
            let hosts: Set<String>?

            /// Creates a client certificate.
            ///
            /// Other servers don't receive it, even if they request one. This includes the targets of redirects and of
            /// absolute URLs.
            ///
            /// - Parameters:
            ///   - certificate: The certificate, followed by any intermediate certificates.
            ///   - key: The private key.
            ///   - password: The key's password, if it has one.
            ///   - hosts: The hosts that receive it, on any port, such as `["api.example.com"]`. If nil, the default,
            ///     these are the origins that receive the client's credentials: its base URL's origin and its
            ///     `trustedOrigins`.
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
            ///   - exceptions: Hosts and domains that are reached without the proxy. The default is none.
            ///   - credentials: The user name and password for the proxy. The default is nil.
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

            /// A setting that uses no proxy, even if the environment specifies one.
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
