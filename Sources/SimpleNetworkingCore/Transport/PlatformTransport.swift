import SimpleNetworkingSupport

/// Chooses the transport of a client in a program that has no `URLSession`.
enum PlatformTransport {
    /// Creates a transport, which is libcurl on Linux.
    static func make() -> any Transport {
        #if canImport(CLibcurl) && os(Linux)
            if let transport = CurlTransport(configuration: CurlConfiguration()) { return transport }
        #endif
        return RefusingTransport(reason: missingEngine)
    }

    private static var missingEngine: String {
        #if os(Linux)
            "libcurl 7.68 or newer was not found; install it (Debian and Ubuntu: libcurl4), or set a transport"
        #else
            "there is no engine; import SimpleNetworking, which has URLSession, or set a transport"
        #endif
    }
}
