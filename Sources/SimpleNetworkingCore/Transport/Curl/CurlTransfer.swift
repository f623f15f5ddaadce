import SimpleNetworkingSupport

#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Represents one transfer of the C engine, which protects shared state with its own lock.
    struct CurlTransfer: @unchecked Sendable {
        let pointer: OpaquePointer

        init?(engine: OpaquePointer) {
            guard let pointer = sn_transfer_create(engine) else { return nil }
            self.pointer = pointer
        }

        func retain() { _ = sn_transfer_retain(pointer) }
        func release() { sn_transfer_release(pointer) }
        func cancel() { sn_transfer_cancel(pointer) }
        var key: UInt { UInt(bitPattern: pointer) }

        /// Follows the submitted transfer to its end, in the task that sends the request.
        ///
        /// Afterwards, `failure` or `response` is the transfer's outcome. This method and its callers are inlined,
        /// because each function that waits needs its own frame.
        @inline(__always)
        func run(_ request: TransportRequest) async throws {
            while true {
                await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                    if !sn_transfer_wait(pointer, continuation.pointer) { continuation.resume() }
                }
                let events = sn_transfer_take_events(pointer)
                try report(events, of: request)
                if events & UInt32(SN_EVENT_HEAD | SN_EVENT_CONTENT) != 0 { try await pass(events, of: request) }
                // After the head, from which a download reads where its bytes start.
                if events & UInt32(SN_EVENT_PROGRESS) != 0 { reportProgress(of: request) }
                guard events & UInt32(SN_EVENT_DONE) != 0 else { continue }
                sn_transfer_end_content(pointer)
                return
            }
        }

        // Inlined, these would enlarge the frame that waits.

        @inline(never)
        private func reportProgress(of request: TransportRequest) {
            request.progress?(TransferProgress(sn_transfer_take_progress(pointer)))
        }

        @inline(never)
        private func report(_ events: UInt32, of request: TransportRequest) throws {
            if events & UInt32(SN_EVENT_CANCELLED) != 0 { throw CancellationError() }
            if events & UInt32(SN_EVENT_RESENT) != 0 {
                for _ in 0..<sn_transfer_take_resends(pointer) { request.report?(.resent(.connectionLost)) }
            }
            guard events & UInt32(SN_EVENT_INTERIM) != 0 else { return }
            while let interim = sn_transfer_take_interim(pointer) {
                let status = Int(clamping: sn_interim_status(interim))
                request.report?(.interim(status: status, headers: HTTPHeaders(sn_interim_headers(interim))))
                sn_interim_free(interim)
            }
        }

        /// Decodes content that is stored in memory, and passes on the head and the content of a stream.
        @inline(never)
        private func pass(_ events: UInt32, of request: TransportRequest) async throws {
            do {
                if events & UInt32(SN_EVENT_HEAD) != 0, case .stream(let receive) = request.sink {
                    let headers = HTTPHeaders(sn_transfer_headers(pointer))
                    try await receive(.head(status: Int(clamping: sn_transfer_status(pointer)), headers: headers))
                }
                if events & UInt32(SN_EVENT_CONTENT) != 0 { try await passContent(to: request.sink) }
            } catch {
                cancel()
                throw error
            }
        }

        private func passContent(to sink: ResponseSink) async throws {
            if !sn_transfer_takes_long(pointer) { try await passSlice(to: sink) }
            guard sn_transfer_takes_long(pointer) else { return }
            try await withTaskExecutorPreference(CurlDecodingExecutor.shared) {
                while true {
                    try await passSlice(to: sink)
                    guard sn_transfer_has_to_rest(pointer) else { return }
                    let duration = sn_transfer_rest(pointer)
                    if duration > 0 {
                        try await Task.sleep(nanoseconds: UInt64(duration))
                    } else {
                        await Task.yield()
                    }
                }
            }
        }

        /// Passes on the available content, or less if decoding takes so long that other transfers must continue first.
        private func passSlice(to sink: ResponseSink) async throws {
            guard case .stream(let receive) = sink else { return try decodeSlice() }
            var count = 0
            while !sn_transfer_has_to_rest(pointer), let bytes = sn_transfer_take_chunk(pointer, &count) {
                // Owned before anything can throw.
                let content = Data(bytesNoCopy: bytes, count: count, deallocator: .free)
                try Task.checkCancellation()
                if !content.isEmpty { try await receive(.content(content)) }
            }
            try decodeSlice()
        }

        private func decodeSlice() throws {
            while !sn_transfer_has_to_rest(pointer), sn_transfer_decode(pointer) { try Task.checkCancellation() }
        }

        /// The reason for the transfer's failure; nil if it succeeded.
        var failure: CurlFailure? {
            let result = sn_transfer_result(pointer)
            if result.pointee.failure == SN_FAILURE_NONE, result.pointee.code == CURLE_OK { return nil }
            return CurlFailure(result: result.pointee)
        }

        /// Reports the head of a response whose content has failed, unless it is streamed.
        func reportHead(of request: TransportRequest) {
            let result = sn_transfer_result(pointer)
            let hasHead = result.pointee.received > 0 || result.pointee.failure == SN_FAILURE_TOO_LARGE
            let status = Int(clamping: sn_transfer_status(pointer))
            let isStreamed = !request.sink.isMemory && 200..<300 ~= status
            guard hasHead, !isStreamed, let report = request.onFailedHead else { return }
            report(status, HTTPHeaders(sn_transfer_headers(pointer)))
        }

        /// Returns the response to the request that was sent.
        func response(to head: RequestHead) -> TransportResponse {
            let result = sn_transfer_result(pointer).pointee
            var parts = ResponseParts(
                request: head,
                status: Int(clamping: result.status),
                headers: HTTPHeaders(sn_transfer_headers(pointer)),
                body: body,
                metrics: TransferMetrics(result)
            )
            let trailers = sn_transfer_trailers(pointer)
            if trailers.count > 0 { parts.trailers = HTTPHeaders(trailers) }
            return TransportResponse(parts)
        }

        private var body: Data {
            let count = sn_transfer_body_count(pointer)
            // Copying a little data is cheaper than transferring ownership of its memory.
            let bytes = count > 32 << 10 ? sn_transfer_take_body(pointer) : nil
            if let bytes { return Data(bytesNoCopy: bytes, count: count, deallocator: .free) }
            return sn_transfer_body(pointer).map { Data(bytes: $0, count: count) } ?? Data()
        }
    }

    extension HTTPHeaders {
        fileprivate init(_ list: SNFieldList) {
            guard let items = list.items, let text = list.text else {
                self = [:]
                return
            }
            var fields: [HTTPHeaders.Field] = []
            fields.reserveCapacity(list.count)
            for field in UnsafeBufferPointer(start: items, count: list.count) {
                let name = UnsafeBufferPointer(
                    start: text + Int(clamping: field.name),
                    count: Int(clamping: field.name_length)
                )
                let value = UnsafeBufferPointer(
                    start: text + Int(clamping: field.value),
                    count: Int(clamping: field.value_length)
                )
                let fieldName = name.fieldText
                fields.append(
                    HTTPHeaders.Field(fieldName, Self.isReference(fieldName) ? value.referenceText : value.fieldText)
                )
            }
            self.init(fields: fields)
        }

        private static func isReference(_ name: String) -> Bool {
            ["Location", "Link", "Content-Location"].contains { $0.isSameFieldName(as: name) }
        }
    }

    extension TransferProgress {
        fileprivate init(_ progress: SNProgress) {
            self.init(
                bytesSent: Int(clamping: progress.sent),
                bytesToSend: progress.to_send > 0 ? Int(clamping: progress.to_send) : nil,
                bytesReceived: Int(clamping: progress.received),
                bytesToReceive: progress.to_receive > 0 ? Int(clamping: progress.to_receive) : nil
            )
        }
    }

    extension TransferMetrics {
        fileprivate init(_ result: SNResult) {
            self.init(total: TimeInterval(result.total) / 1e6)
            if !result.is_reused {
                nameLookup = TimeInterval(result.name_lookup) / 1e6
                connect = TimeInterval(result.connect) / 1e6
                secureConnect = result.secure_connect > 0 ? TimeInterval(result.secure_connect) / 1e6 : nil
            }
            firstByte = TimeInterval(result.first_byte) / 1e6
            bytesSent = Int(clamping: result.sent)
            bytesReceived = Int(clamping: result.received)
            isReusedConnection = result.is_reused
            protocolName =
                switch result.http_version {
                case 1: "http/1.0"
                case 2: "http/1.1"
                case 3: "h2"
                default: nil
                }
            remoteAddress = String(cCharacters: result.address)
        }
    }
#endif
