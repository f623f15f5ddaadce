#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Follows a submitted transfer to its end, in the task that sends.
    struct CurlExchange {
        let transfer: CurlTransfer
        let request: TransportRequest

        /// Waits for the end; `failure` or `response` is what came of it.
        func run() async throws {
            var resends: Int32 = 0
            while true {
                let events = await transfer.nextEvents()
                if events & UInt32(SN_EVENT_CANCELLED) != 0 { throw CancellationError() }
                if events & UInt32(SN_EVENT_RESENT) != 0 { tellOfResends(beyond: &resends) }
                if case .stream(let receive) = request.sink { try await pass(events, to: receive) }
                // After the head, which may say that content is the rest of something.
                if let progress = request.progress, events & UInt32(SN_EVENT_PROGRESS) != 0 {
                    progress(TransferProgress(sn_transfer_progress(transfer.pointer)))
                }
                if events & UInt32(SN_EVENT_DONE) != 0 { return }
            }
        }

        /// Tells of each, though there may have been several since the last event was taken.
        private func tellOfResends(beyond told: inout Int32) {
            let count = sn_transfer_resends(transfer.pointer)
            for _ in told..<count { request.onResend?(.connectionLost) }
            told = count
        }

        private func pass(_ events: UInt32, to receive: @Sendable (ResponsePart) async throws -> Void) async throws {
            do {
                if events & UInt32(SN_EVENT_HEAD) != 0 {
                    try await receive(
                        .head(status: Int(sn_transfer_status(transfer.pointer)), headers: transfer.headers)
                    )
                }
                guard events & UInt32(SN_EVENT_CONTENT) != 0 else { return }
                var count = 0
                while let bytes = sn_transfer_take_chunk(transfer.pointer, &count) {
                    // Owned from here on, whatever ends this.
                    let content = Data(bytesNoCopy: bytes, count: count, deallocator: .free)
                    try Task.checkCancellation()
                    try await receive(.content(content))
                }
            } catch {
                transfer.cancel()
                throw error
            }
        }

        /// What went wrong; nil if nothing did.
        var failure: CurlFailure? {
            let result = sn_transfer_result(transfer.pointer)
            if result.pointee.failure == SN_FAILURE_NONE, result.pointee.code == 0 { return nil }
            return CurlFailure(result: result.pointee)
        }

        var response: TransportResponse {
            let result = sn_transfer_result(transfer.pointer)
            return TransportResponse(
                status: Int(result.pointee.status),
                headers: transfer.headers,
                body: transfer.body,
                metrics: TransferMetrics(result.pointee)
            )
        }
    }
#endif
