#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Sends requests with libcurl: Linux's default.
    ///
    /// libcurl is the one that FoundationNetworking loads anyway. One thread per transport moves the bytes of all of its
    /// requests; it keeps connections open for the next ones, and ends once the transport is released.
    ///
    /// - Requests are sent to http and https only, over HTTP/2 where a TLS server offers it. Redirects, a 401 and the
    ///   like are ordinary answers; cookies are neither kept nor sent.
    /// - Content is decompressed, and counted against `maxResponseSize` afterwards. In a `Content-Encoding` that libcurl
    ///   does not know, it comes as it is; libcurl 8.5 and newer refuse it, so that requests that may be repeated are
    ///   sent once more, and others end with an error.
    /// - When a kept connection breaks before any response, only idempotent methods and requests with an
    ///   `Idempotency-Key` are sent again. Anything else ends with `.connectionLost`, unless no byte of it was sent. With
    ///   libcurl before 7.80 the others get a connection of their own instead.
    /// - A response before the content is sent, to `Expect: 100-continue`, closes the connection.
    /// - Time spent waiting for a free connection does not count against the request's `timeout`; while the first connection
    ///   to a host is being made, it does.
    /// - Where the process may open no more files, requests wait for one of this transport's own.
    /// - `Content-Length` and `Transfer-Encoding` of a request are the transport's to say, and taken from the body.
    /// - Trailers of an answer are dropped: they must not pass for header fields (RFC 9110 §6.5.1).
    /// - Header bytes that are not UTF-8 are read as Latin-1.
    public final class CurlTransport: Transport, @unchecked Sendable {
        let engine: OpaquePointer
        private let configuration: CurlConfiguration

        /// Makes a transport, or nil where libcurl is missing or older than 7.68.
        public init?(configuration: CurlConfiguration = CurlConfiguration()) {
            guard let engine = CurlTransport.makeEngine(configuration) else { return nil }
            self.engine = engine
            self.configuration = configuration
        }

        deinit { sn_engine_release(engine) }

        /// The version of the libcurl in use, or nil where there is none that can be used.
        public static var libraryVersion: String? { sn_library_version().map { String(cString: $0) } }

        /// Whether a version of libcurl, such as 0x075801, may use its handles again.
        static func keepsHandles(version: UInt32) -> Bool { sn_library_keeps_handles(version) }

        /// How many requests wait for a connection, as of now.
        var waitingCount: Int { sn_engine_waiting(engine) }

        /// Requests' timeouts are kept here.
        public var keepsTimeouts: Bool { true }

        /// Sends one request and returns the server's answer.
        public func send(_ request: TransportRequest) async throws -> TransportResponse {
            var keepsEncoded = false
            while true {
                let exchange = try exchange(for: request, keepsEncoded: keepsEncoded)
                let transfer = exchange.transfer
                defer {
                    transfer.release()
                    // The thread must not end while one of its transfers is in use.
                    withExtendedLifetime(self) {}
                }
                try await withTaskCancellationHandler {
                    guard transfer.submit() else { throw CurlTransport.outOfMemory }
                    try await exchange.run()
                } onCancel: {
                    transfer.cancel()
                }
                if let response = try outcome(of: exchange) { return response }
                keepsEncoded = true
                request.onResend?(.unknownCoding)
            }
        }

        // Inlined, these two would make room for what they do in the frame that waits.
        @inline(never)
        private func exchange(for request: TransportRequest, keepsEncoded: Bool) throws -> CurlExchange {
            guard let transfer = CurlTransfer(engine: engine) else { throw CurlTransport.outOfMemory }
            do {
                if keepsEncoded { sn_transfer_keep_encoded(transfer.pointer) }
                try prepare(transfer, for: request)
            } catch {
                transfer.release()
                throw error
            }
            return CurlExchange(transfer: transfer, request: request)
        }

        /// Gives the response, or nil to ask for it again with its content left as it is.
        @inline(never)
        private func outcome(of exchange: CurlExchange) throws -> TransportResponse? {
            guard let failure = exchange.failure else { return exchange.response }
            if failure.mayBeRepeated(of: exchange.request) { return nil }
            // With the limits that were kept, where it has none of its own.
            var request = exchange.request
            request.connectTimeout = request.connectTimeout ?? configuration.connectTimeout
            request.idleTimeout = request.idleTimeout ?? configuration.idleTimeout
            throw failure.error(for: request)
        }

        private func prepare(_ transfer: CurlTransfer, for request: TransportRequest) throws {
            try transfer.setHead(of: request)
            try transfer.setBody(of: request)
            try transfer.setSink(of: request)
            sn_transfer_set_timeouts(
                transfer.pointer,
                request.timeout.nanoseconds,
                (request.idleTimeout ?? configuration.idleTimeout ?? .infinity).nanoseconds,
                (request.connectTimeout ?? configuration.connectTimeout).milliseconds
            )
            if request.head.isRepeatable { sn_transfer_allow_repeats(transfer.pointer) }
            if request.progress != nil { sn_transfer_report_progress(transfer.pointer) }
        }

        static let outOfMemory = NetworkFailure(.other, detail: "out of memory")
    }

    extension TimeInterval {
        /// What is no number is no time.
        fileprivate var nanoseconds: Int64 {
            guard self > 0 else { return 0 }
            return Int64(exactly: (self * 1e9).rounded(.up)) ?? .max
        }

        /// libcurl takes zero for its default.
        fileprivate var milliseconds: Int { self > 0 ? Int(Swift.min((self * 1e3).rounded(.up), 1e9)) : 1 }
    }
#endif
