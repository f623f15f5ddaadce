import SimpleNetworkingSupport

#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    extension CurlFailure {
        /// Returns why the request may be resent at once, without a retry policy; nil if it must not be resent.
        func repair(of request: TransportRequest) -> RequestEvent.ResendReason? {
            guard request.body.mayBeginAgain else { return nil }
            if result.is_unprocessed, result.failure == SN_FAILURE_NONE { return .connectionLost }
            guard request.head.isRepeatable else { return nil }
            // libcurl resends by itself only if it could not read at all.
            let isGone = result.failure == SN_FAILURE_NONE && Self.closed.contains(result.code)
            return isGone && result.is_reused && result.is_unanswered && !result.is_resent ? .connectionLost : nil
        }

        /// The codes for a connection that ended before any response: by GOAWAY, or while libcurl received or sent.
        private static let closed = [CURLE_HTTP2, CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR]
    }
#endif
