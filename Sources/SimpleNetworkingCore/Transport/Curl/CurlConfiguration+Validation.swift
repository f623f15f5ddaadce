import SimpleNetworkingSupport

#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    extension CurlConfiguration {
        /// The reason why the settings can't be used, as the end of a sentence; nil if they can.
        ///
        /// A setting that has no meaning must not be ignored: requests would be sent in another way than it asks for.
        var defect: String? {
            let files = [caFile, clientCertificate?.certificate, clientCertificate?.key, keyLogFile].compactMap(\.self)
            let all = files + Array(unixSockets.values)
            if let file = all.first(where: { !$0.isFileURL || $0.path.utf8.contains(0) }) {
                return "“\(Redaction.text(of: file))” is not the URL of a file"
            }
            if let pin = pinnedPublicKeys.first(where: { !Self.isPin($0) }) {
                return "the pin “\(pin.shown)” is not the base64-encoded SHA-256 hash of a public key"
            }
            return clientCertificate?.defect ?? proxy?.defect ?? CurlDestinations(self).defect ?? interfaceDefect
                ?? keyLogDefect
        }

        private var interfaceDefect: String? {
            guard let interface, IPAddress(interface) == nil else { return nil }
            // As Linux has it; a blank is any of the bytes that C calls so.
            let isName =
                (1...15).contains(interface.utf8.count) && ![".", ".."].contains(interface)
                && interface.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/:".utf8.contains($0) }
            return isName ? nil : "“\(interface.shown)” is neither the name of a network interface nor an IP address"
        }

        private var keyLogDefect: String? {
            guard let keyLogFile else { return nil }
            switch sn_key_log_check(keyLogFile.path) {
            case 0: return nil
            case ENOTSUP: return "only a libcurl with a dynamically linked OpenSSL tells the keys of TLS connections"
            case let error:
                return
                    "the file for the keys, “\(keyLogFile.path.shown)”, can't be opened: \(String(cString: strerror(error)))"
            }
        }

        private static func isPin(_ pin: String) -> Bool {
            let prefix = "sha256//"
            return Data(base64Encoded: pin.hasPrefix(prefix) ? String(pin.dropFirst(prefix.count)) : pin)?.count == 32
        }
    }

    extension CurlConfiguration.ClientCertificate {
        fileprivate var defect: String? {
            if password?.utf8.contains(0) == true { return "the password of the client certificate's key holds a NUL" }
            guard let host = strangeHosts.min() else { return nil }
            return "“\(host.shown)”, which is to receive the client certificate, is not a host, such as api.example.com"
        }
    }

    extension CurlConfiguration.Proxy {
        fileprivate var defect: String? {
            guard let url else { return nil }
            let text = Redaction.text(of: url).inOneLine(limit: 200)
            guard let scheme = url.scheme?.lowercased(), ["http", "https", "socks5", "socks5h"].contains(scheme) else {
                return "the proxy's URL “\(text)” has none of the schemes http, https, socks5 and socks5h"
            }
            guard url.host?.isEmpty == false else { return "the proxy's URL “\(text)” has no host" }
            if let credentials, (credentials.user + credentials.password).utf8.contains(0) {
                return "the proxy's credentials hold a NUL"
            }
            return strangeException.map { exception in
                "the proxy's exception “\(exception.shown)” is none of: a host or domain "
                    + "(example.com), a pattern (*.example.com), an address ([::1]), a range of addresses (10.0.0.0/8), "
                    + "each with or without a port (example.com:8080), and * for all"
            }
        }
    }

    extension String {
        /// The text in one line, unless it may hold a password.
        var shown: String { contains("@") ? Redaction.mark : inOneLine(limit: 200) }
    }
#endif
