import SimpleNetworkingCaching
import SimpleNetworkingCookies

extension SimpleNetworking {
    /// A client with all that a client may have, whose limits are short.
    static func fuzzed(_ server: URL) throws -> SimpleNetworking {
        guard let engine = CurlTransport() else { throw POSIXError(.ENOSYS) }
        return SimpleNetworking(baseURL: server) {
            $0.transport = LoopbackTransport(engine: engine, server: server)
            $0.cookieJar = CookieJar()
            $0.cache = ResponseCache(memoryLimit: 64 << 10)
            $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(0))
            $0.retryPolicy.maxRetryAfter = 0
            $0.timeout = 0.2
            $0.deadline = 1
            $0.maxResponseSize = 1 << 20
            $0.logger = .silent
        }
    }
}
