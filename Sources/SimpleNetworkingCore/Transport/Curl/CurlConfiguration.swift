import SimpleNetworkingSupport

#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Configures a `CurlTransport`.
    public struct CurlConfiguration: Sendable {
        /// The maximum number of connections to a host that responds promptly.
        ///
        /// Additional requests wait in a queue, in order.
        ///
        /// The default is 32, because more connections don't make requests faster. An HTTP/2 connection carries up to
        /// 100 requests at a time.
        public var connectionsPerPromptHost = 32
        /// The maximum number of connections to one host.
        ///
        /// If a host completes no request for 20 ms (200 ms over TLS) while other requests wait, the client doubles the
        /// number of connections to that host, up to this limit. The default is 1,024.
        public var connectionsPerHost = 1024
        /// The maximum number of connections to all hosts.
        ///
        /// When this limit is reached, the hosts take turns.
        ///
        /// The default is 4,096, or fewer if the process's limit on open files is low. The client leaves 64 file
        /// descriptors for other uses. If the limit on open files is below 86, the client leaves three quarters of that
        /// limit instead.
        public var connectionsInTotal = Self.mostConnections
        /// The connect timeout in seconds, which covers name lookup, TCP and TLS.
        ///
        /// The timeout also covers the time spent waiting for another request's first connection to the host. The
        /// default is 15.
        public var connectTimeout: TimeInterval = 15
        /// The idle timeout of each attempt, in seconds.
        ///
        /// The default is nil, which means no timeout. Content that decodes to nothing doesn't end an idle period.
        public var idleTimeout: TimeInterval?
        /// The maximum size of all header fields of a response, in bytes.
        ///
        /// The default is 256 KiB. This setting can't raise libcurl's own limits, which are about 100 KB for one field
        /// and, in newer versions, 300 KiB for all fields. Over HTTP/2, they are 64 KiB for one field and 128 KiB for all.
        public var maxHeaderSize = 256 << 10
        /// A file of PEM certificates to trust instead of the system's certificates.
        ///
        /// If nil (the default), the system's certificates are trusted.
        ///
        /// The certificates apply to servers, and to a proxy that is reached over HTTPS.
        public var caFile: URL?
        /// The client certificate and the servers that receive it.
        ///
        /// The default is nil.
        public var clientCertificate: ClientCertificate?
        /// The pinned public keys, as base64-encoded SHA-256 hashes.
        ///
        /// By default, no keys are pinned. If one of the strings isn't such a hash, every request fails with
        /// `.invalidRequest`.
        ///
        /// The server's public key must match one of these hashes. The certificate chain is also verified.
        public var pinnedPublicKeys: [String] = []
        /// The proxy.
        ///
        /// If nil (the default), the environment specifies the proxy (`http_proxy`, `HTTPS_PROXY`, …).
        ///
        /// If you set a proxy, the environment variable `NO_PROXY` is ignored.
        public var proxy: CurlConfiguration.Proxy?
        /// The IP addresses of hosts, which replace a name lookup.
        ///
        /// Each key is a host for all its ports (`api.example.com`) or for one port (`api.example.com:8443`), which takes
        /// precedence. The addresses are tried as those of a lookup are. The `Host` field, cookies, credentials and the
        /// verification of the server's certificate still depend on the URL. Requests to these hosts don't use a proxy.
        ///
        /// The default is empty. If a key isn't a host name, or a value isn't a list of addresses, every request fails
        /// with `.invalidRequest`.
        public var addresses: [String: [String]] = [:]
        /// The unix domain sockets that requests to hosts use instead of the network, as URLs of files.
        ///
        /// Each key is a host for all its ports (`docker.internal`) or for one port (`localhost:8080`), which takes
        /// precedence. All other hosts are reached over the network, even if a redirect from the socket leads there.
        /// Only the connection differs: the `Host` field, cookies, credentials and TLS still depend on the URL. Requests
        /// to these hosts don't use a proxy.
        ///
        /// The default is empty. If a key isn't a host, a path has more than 107 bytes, or libcurl was built without
        /// unix domain sockets, every request fails with `.invalidRequest`.
        public var unixSockets: [String: URL] = [:]
        /// The network interface (`eth0`) or the local IP address (`192.0.2.7`) that connections use.
        ///
        /// If nil (the default), the system chooses. If the machine has no such interface or address, requests fail with
        /// the kind ``NetworkFailure/Kind/cannotConnect``. With any other text, they fail with `.invalidRequest`. Name
        /// lookups and unix domain sockets don't use it, but connections to a proxy do.
        public var interface: String?
        /// The file to which the keys of TLS connections are appended, for programs that decrypt recorded traffic.
        ///
        /// Whoever has this file can read the traffic, including passwords. A new file can be read only by its owner.
        ///
        /// If nil (the default), no keys are written, even if the environment variable `SSLKEYLOGFILE` is set. A libcurl
        /// that is linked statically or uses another TLS library than OpenSSL still follows that variable. With such a
        /// libcurl, or if the file can't be opened, every request of a transport with this setting fails with
        /// `.invalidRequest`.
        public var keyLogFile: URL?

        /// Creates the default configuration.
        public init() {}

        private static let mostConnections: Int = {
            let limit = sn_file_limit()
            guard limit > 0 else { return 512 }
            let files = min(limit, 4096 + 64)
            return max(1, files - min(64, files * 3 / 4))
        }()

        /// Whether the configuration contains settings that must not be ignored, but that other engines would ignore.
        var needsLibcurl: Bool {
            caFile != nil || clientCertificate != nil || !pinnedPublicKeys.isEmpty || proxy != nil
                || !addresses.isEmpty || !unixSockets.isEmpty || interface != nil || keyLogFile != nil
        }

        /// Specifies the PEM files of a client certificate, and the servers that receive the certificate.
        public struct ClientCertificate: Sendable {
            let certificate: URL
            let key: URL
            let password: String?
            /// The hosts as URLs have them; nil if the origins that may receive credentials receive the certificate.
            let hosts: Set<String>?
            /// The texts that are no hosts.
            let strangeHosts: Set<String>

            /// Creates a client certificate.
            ///
            /// Other servers don't receive the certificate, even if they request one. These other servers include the
            /// targets of redirects and of absolute URLs.
            ///
            /// - Parameters:
            ///   - certificate: The certificate, followed by any intermediate certificates.
            ///   - key: The private key.
            ///   - password: The key's password, if it has one.
            ///   - hosts: The hosts that receive the certificate, on any port, such as `["api.example.com"]`. If one of
            ///     them isn't a host (for example, if it has a scheme or a port), every request fails with
            ///     `.invalidRequest`. If nil (the default), the certificate is sent to the origins that receive the
            ///     client's credentials: its base URL's origin and its `trustedOrigins`.
            public init(certificate: URL, key: URL, password: String? = nil, hosts: Set<String>? = nil) {
                self.certificate = certificate
                self.key = key
                self.password = password
                self.hosts = hosts.map { Set($0.compactMap(HostName.normalized)) }
                strangeHosts = hosts.map { $0.filter { HostName.normalized($0) == nil } } ?? []
            }

            func isOffered(to request: TransportRequest) -> Bool {
                guard let hosts else { return request.isTrusted }
                return request.url.host.flatMap(HostName.normalized).map { hosts.contains($0) } ?? false
            }
        }
    }

    extension CurlConfiguration.ClientCertificate: Redacted {
        package var shownMembers: KeyValuePairs<String, Any> {
            [
                "certificate": certificate.path, "key": key.path,
                "password": password.map { _ in Redaction.mark } as Any,
                "hosts": hosts.map { Array($0).sorted() } as Any,
            ]
        }
    }

    extension CurlConfiguration {
        /// Configures the proxy of a `CurlTransport`.
        public struct Proxy: Sendable {
            /// The proxy's URL; nil if no proxy is used.
            let url: URL?
            let exceptions: [String]
            /// The exceptions, to compare hosts with.
            private let rules: [ProxyException]
            /// The first exception that can't be read.
            let strangeException: String?
            let credentials: (user: String, password: String)?

            /// Creates a proxy setting.
            ///
            /// - Parameters:
            ///   - url: The proxy's URL, with the scheme `http`, `https`, `socks5` or `socks5h`.
            ///   - exceptions: The hosts that are reached without the proxy. `example.com` and `.example.com` mean the
            ///     domain and its subdomains, `*.example.com` means only the subdomains, and `*` means all hosts. `::1`
            ///     or `[::1]` is an address, and `10.0.0.0/8` is a range of addresses; names aren't looked up to compare
            ///     them with addresses. Each of them can have a port, as in `example.com:8080` or `[::1]:8080`. One
            ///     string can contain several exceptions with commas or blanks between them. If a string can't be read,
            ///     every request fails with `.invalidRequest`. By default, there are no exceptions.
            ///   - credentials: The user name and password for the proxy. The default is nil.
            public init(_ url: URL, exceptions: [String] = [], credentials: (user: String, password: String)? = nil) {
                self.url = url
                self.exceptions = exceptions
                self.credentials = credentials
                let texts = exceptions.flatMap { text in
                    let pieces = text.pieces(between: ByteSet.blanks.union(",")).map(String.init)
                    return pieces.isEmpty ? [text] : pieces
                }
                rules = texts.compactMap(ProxyException.init)
                strangeException = texts.first { ProxyException($0) == nil }
            }

            private init() {
                url = nil
                exceptions = []
                rules = []
                strangeException = nil
                credentials = nil
            }

            /// Returns whether a URL is reached without the proxy.
            func isBypassed(by url: URL) -> Bool {
                guard !rules.isEmpty, let origin = Origin(url) else { return false }
                return rules.contains { $0.covers(origin) }
            }

            /// A setting that uses no proxy, even if the environment specifies one.
            public static let none = Proxy()
        }
    }

    extension CurlConfiguration.Proxy: Redacted {
        package var shownMembers: KeyValuePairs<String, Any> {
            [
                "url": url.map { Redaction.text(of: $0) } as Any, "exceptions": exceptions,
                "credentials": credentials.map { _ in Redaction.mark } as Any,
            ]
        }
    }
#endif
