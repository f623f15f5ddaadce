#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Sends requests with libcurl: the default on Linux.
    ///
    /// It is the library that FoundationNetworking loads anyway. One thread per transport serves all its requests and
    /// keeps connections for later ones; it ends after the transport is released. While few requests are in
    /// flight it also runs the handlers for the client's own queue, and another thread takes its place when one of them
    /// takes long.
    ///
    /// - Only http and https are supported, with HTTP/2 where a TLS server offers it. Redirects, a 401 and the like are
    ///   ordinary responses; cookies are neither stored nor sent.
    /// - Content is decompressed, and then counted against `maxResponseSize`. Unknown codings are passed on undecoded;
    ///   libcurl 8.5 and newer refuse them, so that idempotent requests are sent once more, and others fail.
    /// - When a kept connection breaks before any response, only idempotent requests and those with an
    ///   `Idempotency-Key` are sent again. Others fail with `.connectionLost`, unless no byte of them was sent. With
    ///   libcurl before 7.80 they use a connection of their own instead.
    /// - A response to `Expect: 100-continue` before the content is sent closes the connection.
    /// - A whole response counts though content is left to send, once the server has read none of it for five seconds.
    /// - libcurl doesn't tell that a server refused a stream of HTTP/2 unprocessed: only what may be repeated is sent
    ///   again.
    /// - Waiting for a free connection doesn't count against `timeout`; waiting for the first connection to a host
    ///   does.
    /// - A transfer whose server sends without pause takes turns with the others. One that brings no content, such as an
    ///   endless chunk extension, gets a tenth of the thread's time at most.
    /// - Files to send are opened and read by threads of their own, since a file system may block: up to 64 at a time.
    /// - Hosts longer than 255 bytes, and content with more than five codings, are refused.
    /// - After `fork`, the child can't use the parent's transport: requests fail at once, and say so.
    /// - Where the process may open no more files, requests wait for a connection of this transport.
    /// - `Content-Length` and `Transfer-Encoding` are set from the body, whatever the request's fields say.
    /// - Trailers arrive apart from the header fields (RFC 9110 §6.5.1); interim responses, such as 103, as events.
    /// - Header bytes that are not UTF-8 are read as Latin-1.
    public final class CurlTransport: Transport, @unchecked Sendable {
        let engine: OpaquePointer
        let executor: CurlExecutor
        private let configuration: CurlConfiguration

        /// Creates a transport; nil if libcurl is missing or older than 7.68.
        public init?(configuration: CurlConfiguration = CurlConfiguration()) {
            guard let engine = configuration.makeEngine() else { return nil }
            self.engine = engine
            self.configuration = configuration
            executor = CurlExecutor(engine: engine)
        }

        deinit { sn_engine_release(engine) }

        /// The version of the libcurl in use; nil if none is usable.
        static var libraryVersion: String? { sn_library_version().map { String(cString: $0) } }

        var waitingCount: Int { sn_engine_waiting(engine) }

        /// Fails requests by itself when their timeout has passed.
        public var enforcesTimeouts: Bool { true }

        static let outOfMemory = NetworkFailure(.other, detail: "out of memory")
        static let forked = NetworkFailure(
            .other,
            detail: "the transport belongs to the parent process; after fork, create another one in the child"
        )

        /// Sends one request and returns the server's response.
        public func send(_ request: TransportRequest) async throws -> TransportResponse {
            // Each reason counts once.
            var repairs: [ResendReason] = []
            while true {
                let transfer = try transfer(for: request, keepsEncoded: repairs.contains(.unknownCoding))
                defer {
                    // Otherwise it would keep the transfer for as long as it waits for a piece.
                    (transfer.source as? CurlChunkSource)?.close()
                    transfer.release()
                    // The thread must not end while one of its transfers is in use.
                    withExtendedLifetime(self) {}
                }
                try await withTaskCancellationHandler {
                    guard sn_transfer_submit(transfer.pointer) else { throw CurlTransport.outOfMemory }
                    try await transfer.run(request)
                } onCancel: {
                    transfer.cancel()
                }
                if let response = try response(to: request, from: transfer, &repairs) { return response }
            }
        }

        // Inlined, these two would enlarge the frame that waits.
        @inline(never)
        private func transfer(for request: TransportRequest, keepsEncoded: Bool) throws -> CurlTransfer {
            guard let transfer = CurlTransfer(engine: engine) else {
                throw sn_engine_is_forked(engine) ? CurlTransport.forked : CurlTransport.outOfMemory
            }
            do {
                if keepsEncoded { sn_transfer_keep_encoded(transfer.pointer) }
                if request.followsRedirects { sn_transfer_follow_redirects(transfer.pointer) }
                try transfer.setHead(of: request)
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
            return transfer
        }

        /// Nil if the request is to be sent again.
        @inline(never)
        private func response(
            to request: TransportRequest,
            from transfer: CurlTransfer,
            _ repairs: inout [ResendReason]
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
            throw failure.error(for: request)
        }
    }

    /// Runs the tasks that send a transport's requests: on the thread that received the response, as long as they do
    /// not block it.
    ///
    /// A response that waits for another thread to wake waits longer than all else takes.
    final class CurlExecutor: TaskExecutor, @unchecked Sendable {
        private let engine: OpaquePointer

        /// Keeps the memory of the engine, but not its threads.
        init(engine: OpaquePointer) {
            self.engine = engine
            sn_engine_retain(engine)
            // A task keeps its executor, so that this is in memory while its jobs run.
            sn_engine_set_context(engine, Unmanaged.passUnretained(self).toOpaque())
        }

        deinit { sn_engine_drop(engine) }

        /// Whether the calling thread may run handlers: it is an engine's, which has little else to do.
        static var mayRunHandlers: Bool { sn_thread_runs_alone() }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            if sn_engine_push(engine, unsafeBitCast(job, to: UnsafeMutableRawPointer.self)) { return }
            // A child of fork has no other thread to run it.
            if sn_engine_is_forked(engine) { return run(job) }
            DispatchQueue.global().async { self.run(job) }
        }

        func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Releases what a transfer kept: a source, or memory that was lent.
    private func dropOwner(at address: UInt) {
        guard let owner = UnsafeMutableRawPointer(bitPattern: address) else { return }
        source(at: owner)?.close()
        Unmanaged<AnyObject>.fromOpaque(owner).release()
    }

    extension CurlConfiguration {
        fileprivate func makeEngine() -> OpaquePointer? {
            let pins = pinnedPublicKeys.map { $0.hasPrefix("sha256//") ? $0 : "sha256//" + $0 }
            let texts = [
                caFile?.path, clientCertificate?.certificate.path, clientCertificate?.key.path,
                clientCertificate?.password, pins.isEmpty ? nil : pins.joined(separator: ";"),
                // An empty text is libcurl's word for no proxy at all.
                proxy.map { $0.url?.absoluteString ?? "" },
                proxy.flatMap { $0.exceptions.isEmpty ? nil : $0.exceptions.joined(separator: ",") },
                proxy?.credentials.map { "\($0.user.percentEncoded):\($0.password.percentEncoded)" },
            ].map { $0.flatMap { strdup($0) } }
            defer { texts.forEach { free($0) } }
            var options = SNEngineOptions(
                connections_per_host: max(connectionsPerHost, 1),
                connections_per_prompt_host: max(min(connectionsPerPromptHost, connectionsPerHost), 1),
                connections_in_total: max(connectionsInTotal, 1),
                max_header_bytes: max(maxHeaderSize, 0),
                ca_file: UnsafePointer(texts[0]),
                certificate: UnsafePointer(texts[1]),
                key: UnsafePointer(texts[2]),
                key_password: UnsafePointer(texts[3]),
                pinned_keys: UnsafePointer(texts[4]),
                proxy: UnsafePointer(texts[5]),
                no_proxy: UnsafePointer(texts[6]),
                proxy_credentials: UnsafePointer(texts[7]),
                resume: { unsafeBitCast($0, to: UnsafeContinuation<Void, Never>.self).resume() },
                pull: { source(at: $0)?.pull() },
                rewind: { source(at: $0)?.rewind() },
                drop: { owner in
                    let address = UInt(bitPattern: owner)
                    // It may run the caller's code, such as a deinitializer, and for long.
                    if sn_thread_has_turn() {
                        DispatchQueue.global().async { dropOwner(at: address) }
                    } else {
                        dropOwner(at: address)
                    }
                },
                run: { job, executor in
                    let executor = executor.map { Unmanaged<CurlExecutor>.fromOpaque($0).takeUnretainedValue() }
                    executor?.run(unsafeBitCast(job, to: UnownedJob.self))
                },
                call_help: { engine in
                    let address = UInt(bitPattern: engine)
                    DispatchQueue.global().async { OpaquePointer(bitPattern: address).map(sn_engine_help) }
                },
                context: nil
            )
            return sn_engine_create(&options)
        }
    }

    extension String {
        /// libcurl decodes both halves of `user:password`, so that either may contain a colon.
        fileprivate var percentEncoded: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self }
    }
#endif
