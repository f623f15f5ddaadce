import SimpleNetworkingSupport

#if canImport(CLibcurl) && os(Linux)
    /// Names hosts that are reached without the proxy.
    ///
    /// libcurl's own list has neither ports nor patterns, and its versions read it differently.
    struct ProxyException: Sendable {
        private enum Hosts {
            case all
            case domain(String)
            case subdomains(String)
            case network(IPAddress, bits: Int)
        }

        private let hosts: Hosts
        /// The port; nil for any port.
        private let port: Int?

        /// Reads an exception; nil if the text is none.
        init?(_ text: String) {
            guard let parts = Self.parts(of: text), let hosts = Self.hosts(parts.host) else { return nil }
            self.hosts = hosts
            port = parts.port
        }

        /// Splits a text such as `example.com:8080` or `[::1]`; nil if what follows the host isn't a port.
        static func parts(of text: String) -> (host: String, port: Int?)? {
            // The port follows the last colon, unless that belongs to an address, with brackets or without.
            let colon = text.utf8.lastIndex(of: UInt8(ascii: ":"))
            let isInAddress =
                text.hasPrefix("[")
                ? colon.map { text[$0...].utf8.contains(UInt8(ascii: "]")) } ?? true
                : text.utf8.count { $0 == UInt8(ascii: ":") } > 1
            guard !isInAddress, let colon else { return (text, nil) }
            let digits = String(text[colon...].dropFirst())
            guard digits.isNumber, let port = UInt16(digits), port > 0 else { return nil }
            return (String(text[..<colon]), Int(clamping: port))
        }

        private static func hosts(_ text: String) -> Hosts? {
            if text == "*" { return .all }
            if text.hasPrefix("*.") { return name(text.dropFirst(2)).map { .subdomains($0) } }
            if text.hasPrefix(".") { return name(text.dropFirst()).map { .domain($0) } }
            let (address, length) = text.parts(at: "/")
            guard let length else {
                guard let host = HostName.normalized(text) else { return nil }
                return IPAddress(host).map { .network($0, bits: $0.bytes.count * 8) } ?? .domain(host)
            }
            guard let network = IPAddress(String(address)), String(length).isNumber,
                let bits = UInt8(length).map({ Int(clamping: $0) }),
                bits <= network.bytes.count * 8
            else { return nil }
            return .network(network, bits: bits)
        }

        private static func name(_ text: Substring) -> String? {
            HostName.normalized(String(text)).flatMap { IPAddress($0) == nil ? $0 : nil }
        }

        /// Returns whether the origin is reached without the proxy.
        func covers(_ origin: Origin) -> Bool {
            if let port, port != origin.port { return false }
            let host = origin.host.hasSuffix(".") ? String(origin.host.dropLast()) : origin.host
            switch hosts {
            case .all: return true
            case .domain(let domain): return host == domain || host.hasSuffix("." + domain)
            case .subdomains(let domain): return host.hasSuffix("." + domain)
            case .network(let network, let bits):
                // Without the zone of a link-local address.
                let address = IPAddress(String(host.parts(at: "%").before))
                return address.map { network.shares(bits, with: $0) } ?? false
            }
        }
    }
#endif
