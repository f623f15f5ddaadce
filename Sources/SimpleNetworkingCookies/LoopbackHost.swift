import SimpleNetworkingFeatureSupport

/// Recognizes the hosts that are this computer itself, so that no network sees what they receive.
enum LoopbackHost {
    /// Returns whether a host is `localhost` or below it, an address in `127.0.0.0/8`, or `::1` without brackets.
    static func matches(_ host: String) -> Bool {
        let name = (host.hasSuffix(".") ? String(host.dropLast()) : host).lowercased()
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        guard let address = IPAddress(name) else { return false }
        return address.bytes.count == 4 ? address.bytes[0] == 127 : address == IPAddress("::1")
    }
}
