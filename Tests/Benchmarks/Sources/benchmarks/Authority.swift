/// The certificate of the server with TLS, which no machine trusts by itself.
enum Authority {
    /// Its file.
    static let file = ProcessInfo.processInfo.environment["BENCHMARKS_AUTHORITY"]
}
