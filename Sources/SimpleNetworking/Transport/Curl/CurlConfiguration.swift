#if canImport(CLibcurl) && os(Linux)
    /// Holds the settings of a `CurlTransport`.
    public struct CurlConfiguration: Sendable {
        /// Connections to one host at a time, as long as it answers promptly; more requests wait in the order they came.
        ///
        /// The default is 32, beyond which nothing gets faster. Over HTTP/2 one connection takes up to 100 requests at a
        /// time.
        public var connectionsPerPromptHost = 32
        /// Connections to one host at most.
        ///
        /// A host that ends no request for 20 ms (200 ms over TLS), while others wait, gets twice as many connections as before, up to this
        /// limit. The default is 1,024.
        public var connectionsPerHost = 1024
        /// Connections in all; hosts take turns.
        ///
        /// The default is 4,096, or fewer: it leaves 64 of the files that the process may open to others, and three quarters
        /// where it may open fewer than 86.
        public var connectionsInTotal = Self.mostConnections
        /// Seconds that connecting may take: name look-up, TCP and TLS.
        ///
        /// Waiting for another request to make the first connection to a host counts as connecting.
        ///
        /// The default is 15.
        public var connectTimeout: TimeInterval = 15
        /// Seconds without a byte moving that end an attempt; nil for no limit.
        ///
        /// The default is nil.
        public var idleTimeout: TimeInterval?
        /// Bytes that the header fields of an answer may have in all.
        ///
        /// The default is 256 KiB.
        public var maxHeaderSize = 256 << 10
        /// A file of PEM certificates to trust instead of the system's.
        ///
        /// The default is nil.
        public var caFile: URL?
        /// The certificate that this client shows to servers that ask for one.
        ///
        /// The default is nil.
        public var clientCertificate: ClientCertificate?
        /// SHA-256 hashes of servers' public keys in base64, one of which must match; empty for any.
        ///
        /// Pins add to the verification of certificates, they do not replace it. The default is empty.
        public var pinnedPublicKeys: [String] = []
        /// The proxy to use; nil for what the environment says (`http_proxy`, `HTTPS_PROXY`, `NO_PROXY`, …).
        ///
        /// The default is nil.
        public var proxy: CurlProxy?

        /// Makes the default settings.
        public init() {}

        private static let mostConnections: Int = {
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 512 }
            let files = Int(min(limit.rlim_cur, 4096 + 64))
            return max(1, files - min(64, files * 3 / 4))
        }()
    }

    extension CurlConfiguration {
        /// Names the files of a client certificate, in PEM format.
        public struct ClientCertificate: Sendable {
            /// The certificate, followed by intermediate ones.
            public var certificate: URL
            /// The private key.
            public var key: URL
            /// The key's password, if it has one.
            public var password: String?

            /// Makes a client certificate.
            public init(certificate: URL, key: URL, password: String? = nil) {
                self.certificate = certificate
                self.key = key
                self.password = password
            }
        }
    }

    extension CurlConfiguration.ClientCertificate: CustomReflectable {
        /// Shows the names of the files to `dump` and debuggers.
        public var customMirror: Mirror {
            let children: KeyValuePairs<String, Any> = [
                "certificate": certificate.path, "key": key.path,
                "password": password.map { _ in Redaction.mark } as Any,
            ]
            return Mirror(self, children: children, displayStyle: .struct)
        }
    }
#endif
