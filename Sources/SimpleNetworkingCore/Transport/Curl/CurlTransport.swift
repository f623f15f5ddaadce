import SimpleNetworkingSupport

#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Sends requests with libcurl; this is the default transport on Linux.
    ///
    /// FoundationNetworking loads the same library. Each transport has one thread, which serves all its requests, keeps
    /// connections open for reuse, and ends after the transport is released. While few requests are in flight, this
    /// thread also runs the handlers for the client's own queue. If a handler takes a long time, another thread takes
    /// over.
    ///
    /// - The transport supports only http and https, and uses HTTP/2 if a TLS server offers it. The transport returns
    ///   redirects, 401 and similar statuses as ordinary responses, and neither stores nor sends its own cookies.
    /// - The transport decompresses content, and compares its decompressed size with `maxResponseSize`. Content with
    ///   unknown codings is passed on undecoded. The transport decompresses a stream as you read it, so a stream needs
    ///   little memory, regardless of its decompressed size.
    /// - When a reused connection breaks before any response arrives, the transport resends only idempotent requests
    ///   and requests with an `Idempotency-Key`, over HTTP/2 only once. Other requests fail with `.connectionLost`, unless
    ///   none of their bytes were sent. With libcurl before 7.80, these other requests use their own connections instead.
    /// - If a final response to `Expect: 100-continue` arrives before the content is sent, the transport closes the
    ///   connection.
    /// - If a complete response arrives before all content is sent, the transport accepts the response once the server
    ///   has read no content for five seconds.
    /// - The transport resends an HTTP/2 request that the server is known not to have processed, regardless of its
    ///   method. libcurl doesn't always report this, as the article on Linux's engines explains.
    /// - Time spent waiting for a free connection doesn't count against `timeout`, but time spent waiting for the first
    ///   connection to a host does.
    /// - A transfer that receives data without pause takes turns with other transfers. A transfer that delivers no
    ///   content, such as one with an endless chunk extension, gets at most a tenth of the thread's time. TLS records
    ///   without content are an exception with libcurl 8.15 and newer, with a statically linked libcurl, and behind an
    ///   HTTPS proxy: OpenSSL keeps reading until a record has content, and other transfers wait meanwhile.
    /// - Separate threads decode responses that take a long time to decode, and deliver their streams. The process has
    ///   one such thread per core, and all transports share these threads. Decoding responses whose
    ///   decoded content is empty takes, in total, at most a tenth of one core.
    /// - Up to 64 separate threads open and read the files to send, because a file system may block.
    /// - The transport rejects hosts longer than 255 bytes, content with more than five codings, and header fields with
    ///   more than 1,000 folded lines.
    /// - After `fork`, the child process can't use the parent's transport. Requests in the child process fail at once,
    ///   with an error that states the reason.
    /// - If the process can't open more files, requests wait until a connection of this transport is free.
    /// - The transport sets `Content-Length` and `Transfer-Encoding` from the body, regardless of the request's own
    ///   fields.
    /// - Trailers are separate from the header fields (RFC 9110 §6.5.1). Interim responses, such as 103, are reported
    ///   as events.
    /// - The transport reads header bytes that aren't UTF-8 as Latin-1.
    public final class CurlTransport: EngineTransport, @unchecked Sendable {
        /// The engine; nil if it could not be created.
        ///
        /// Every request then fails.
        let engine: OpaquePointer?
        package let traits: EngineTraits
        private let configuration: CurlConfiguration
        private let destinations: CurlDestinations
        /// The reason why the configuration can't be used; nil if it can.
        private let defect: String?

        /// Creates a transport, or returns nil if libcurl is missing or older than 7.68.
        ///
        /// If a client's `transport` is nil, the client uses URLSession, which ignores these settings. Therefore, the
        /// result is never nil if you set a CA file, a client certificate, pins, a proxy, addresses, unix domain sockets,
        /// an interface or a file for keys. Without libcurl, or if one of these settings has no meaning, every request
        /// then fails with `.invalidRequest`.
        public convenience init?(configuration: CurlConfiguration = CurlConfiguration()) {
            self.init(configuration, engine: configuration.defect == nil ? configuration.makeEngine() : nil)
        }

        init?(_ configuration: CurlConfiguration, engine: OpaquePointer?) {
            guard engine != nil || configuration.needsLibcurl else { return nil }
            self.engine = engine
            self.configuration = configuration
            destinations = CurlDestinations(configuration)
            defect = configuration.defect
            traits = EngineTraits(
                // A certificate without hosts is offered to the origins that may receive credentials.
                asksForTrust: configuration.clientCertificate.map { $0.hosts == nil } ?? false,
                sendsWrittenURLs: true,
                namesRequests: true,
                executor: engine.map { CurlExecutor(engine: $0) },
                mayRunHandlers: { sn_thread_runs_alone() }
            )
        }

        deinit { if let engine { sn_engine_release(engine) } }

        /// The version of the libcurl in use; nil if no usable libcurl is found.
        static var libraryVersion: String? { sn_library_version().map { String(cString: $0) } }

        var waitingCount: Int { engine.map { sn_engine_waiting($0) } ?? 0 }

        /// Always true, because the transport itself enforces the timeouts of requests.
        public var enforcesTimeouts: Bool { true }

        static let outOfMemory = NetworkFailure(.other, detail: "out of memory")
        static let forked = NetworkFailure(
            .other,
            detail: "the transport belongs to the parent process; after fork, create another one in the child"
        )
        /// The failure for a handle that lacks an option, and that must therefore not be used.
        private static let notSetUp = NetworkFailure(
            .other,
            detail: "libcurl refuses an option, or memory has run out"
        )

        /// Sends one request and returns the server's response.
        public func send(_ request: TransportRequest) async throws -> TransportResponse {
            // Each reason allows one repeat.
            var repairs: [RequestEvent.ResendReason] = []
            while true {
                let transfer = try transfer(for: request)
                defer { finish(transfer, request.suspension) }
                try await withTaskCancellationHandler {
                    // Submitted here, so that a task cancelled beforehand opens no connection.
                    guard sn_transfer_submit(transfer.pointer) else { throw Self.notSetUp }
                    try await transfer.run(request)
                } onCancel: {
                    transfer.cancel()
                }
                if let response = try response(to: request, from: transfer, &repairs) { return response }
            }
        }

        // Inlined, these three would enlarge the frame that waits.

        /// Finishes a transfer.
        ///
        /// This is a method of the transport, whose thread must not end while one of its transfers is in use.
        @inline(never)
        private func finish(_ transfer: CurlTransfer, _ suspension: Suspension?) {
            suspension?.forget(transfer.key)
            // Otherwise, the source would retain the transfer while it waits for a piece.
            (transfer.source as? CurlChunkSource)?.close()
            transfer.release()
            withExtendedLifetime(self) {}
        }

        @inline(never)
        private func transfer(for request: TransportRequest) throws -> CurlTransfer {
            if let defect {
                let reason = "the configuration of its transport can't be used: \(defect)"
                throw SimpleNetworkingError.invalidRequest(reason: reason, request.head)
            }
            guard let engine else { throw missingLibrary(request.head) }
            guard let transfer = CurlTransfer(engine: engine) else {
                throw sn_engine_is_forked(engine) ? CurlTransport.forked : CurlTransport.notSetUp
            }
            do {
                if let certificate = configuration.clientCertificate, certificate.isOffered(to: request) {
                    sn_transfer_offer_certificate(transfer.pointer)
                }
                if configuration.proxy?.isBypassed(by: request.url) == true {
                    sn_transfer_bypass_proxy(transfer.pointer)
                }
                if request.followsRedirects { sn_transfer_follow_redirects(transfer.pointer) }
                try transfer.setHead(of: request)
                try transfer.setDestination(of: request, destinations)
                try transfer.setBody(of: request)
                sn_transfer_receive_in_memory(transfer.pointer, Int64(max(request.maxResponseSize, 0)))
                if case .stream = request.sink { sn_transfer_receive_in_stream(transfer.pointer, 128 << 10) }
            } catch {
                transfer.release()
                throw error
            }
            sn_transfer_set_timeouts(
                transfer.pointer,
                request.timeout.wholeNanoseconds,
                (request.idleTimeout ?? configuration.idleTimeout ?? .infinity).wholeNanoseconds,
                (request.connectTimeout ?? configuration.connectTimeout).timeoutMilliseconds
            )
            if request.head.isRepeatable { sn_transfer_allow_repeats(transfer.pointer) }
            if request.progress != nil { sn_transfer_report_progress(transfer.pointer) }
            request.suspension?.observe(as: transfer.key) { sn_transfer_suspend(transfer.pointer, $0) }
            return transfer
        }

        private func missingLibrary(_ head: RequestHead) -> SimpleNetworkingError {
            let reason =
                "it must not be sent without the certificates, proxy or other settings of its transport, which need "
                + "libcurl 7.68 or newer; it was not found, or memory has run out"
            return .invalidRequest(reason: reason, head)
        }

        /// Returns the response; nil if the request is to be resent.
        @inline(never)
        private func response(
            to request: TransportRequest,
            from transfer: CurlTransfer,
            _ repairs: inout [RequestEvent.ResendReason]
        ) throws -> TransportResponse? {
            guard let failure = transfer.failure else { return transfer.response(to: request.head) }
            if let reason = failure.repair(of: request), !repairs.contains(reason) {
                repairs.append(reason)
                request.report?(.resent(reason))
                return nil
            }
            if let error = (transfer.source as? CurlChunkSource)?.error { throw error }
            // With the timeouts that applied.
            var request = request
            request.connectTimeout = request.connectTimeout ?? configuration.connectTimeout
            request.idleTimeout = request.idleTimeout ?? configuration.idleTimeout
            transfer.reportHead(of: request)
            throw failure.error(for: request)
        }
    }

    /// Runs the tasks that send a transport's requests on the thread that receives the responses.
    ///
    /// If the tasks block that thread, another thread continues. Waking another thread for a response would take longer
    /// than all other work.
    final class CurlExecutor: TaskExecutor, @unchecked Sendable {
        private let engine: OpaquePointer

        /// Creates an executor that retains the memory of the engine, but not its threads.
        init(engine: OpaquePointer) {
            self.engine = engine
            sn_engine_retain(engine)
            // A task retains its executor, so this executor exists while its jobs run.
            sn_engine_set_context(engine, Unmanaged.passUnretained(self).toOpaque())
        }

        deinit { sn_engine_drop(engine) }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            if sn_engine_push(engine, job.pointer) { return }
            // A forked child has no other thread to run the job.
            if sn_engine_is_forked(engine) { return run(job) }
            DispatchQueue.global().async { self.run(job) }
        }

        func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Runs decoding that takes a long time, on separate threads from all other work.
    final class CurlDecodingExecutor: TaskExecutor {
        static let shared = CurlDecodingExecutor()

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            DispatchQueue.global(qos: .utility).async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
#endif
