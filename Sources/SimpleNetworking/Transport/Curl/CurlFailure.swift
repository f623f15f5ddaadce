#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Converts the C engine's result into an error.
    struct CurlFailure {
        let result: SNResult

        /// Returns why the request may be resent at once, without a retry policy; nil if it must not be resent.
        func repair(of request: TransportRequest) -> RequestEvent.ResendReason? {
            guard request.body.mayBeginAgain else { return nil }
            if result.is_unprocessed, result.failure == SN_FAILURE_NONE { return .connectionLost }
            guard request.head.isRepeatable else { return nil }
            // libcurl resends by itself only if it could not read at all.
            let isGone = result.failure == SN_FAILURE_NONE && Self.closed.contains(result.code)
            return isGone && result.is_reused && result.is_unanswered && !result.is_resent ? .connectionLost : nil
        }

        /// The codes for a connection that ended before any response: by GOAWAY (16), while libcurl received (18, 56), or
        /// while it sent (55).
        private static let closed: Set<Int32> = [http2, 18, 55, 56]
        private static let http2: Int32 = 16

        func error(for request: TransportRequest) -> any Error {
            let head = request.head
            return switch result.failure {
            case SN_FAILURE_TOO_LARGE: SimpleNetworkingError.tooLarge(limit: request.maxResponseSize, head)
            case SN_FAILURE_ATTEMPT: SimpleNetworkingError.timedOut(.attempt(request.timeout), head)
            case SN_FAILURE_IDLE: SimpleNetworkingError.timedOut(.idle(request.idleTimeout ?? 0), head)
            case SN_FAILURE_HEADER_LIMIT: Self.tooManyFields
            case SN_FAILURE_HEADER_CUT where result.status == 101:
                NetworkFailure(.malformedResponse, detail: "the server switched protocols unasked")
            case SN_FAILURE_HEADER_CUT: NetworkFailure(.connectionLost, detail: "the header fields were cut short")
            case SN_FAILURE_FOLD: NetworkFailure(.malformedResponse, detail: "its first header field has no name")
            case SN_FAILURE_STATUS_LINE: NetworkFailure(.malformedResponse, detail: "it begins with no status line")
            case SN_FAILURE_FIELD: NetworkFailure(.malformedResponse, detail: "one of its fields is malformed")
            case SN_FAILURE_LENGTH: NetworkFailure(.malformedResponse, detail: "its Content-Length is not one number")
            case SN_FAILURE_TRANSFER_CODING:
                NetworkFailure(.malformedResponse, detail: "it has a Transfer-Encoding that was not requested")
            case SN_FAILURE_CODINGS: NetworkFailure(.malformedResponse, detail: "it has too many content codings")
            case SN_FAILURE_CODING: NetworkFailure(.malformedResponse, detail: words)
            case SN_FAILURE_SHORTAGE: NetworkFailure(.other, detail: "no connection could be opened: \(systemWords)")
            case SN_FAILURE_SOURCE: NetworkFailure(.unreadableBody, detail: sourceWords)
            case SN_FAILURE_MEMORY: CurlTransport.outOfMemory
            case SN_FAILURE_TUNNEL where mayBeProcessed(head): NetworkFailure.withoutResponse(head, Self.longAnswer)
            case SN_FAILURE_TUNNEL: NetworkFailure(.cannotConnect, detail: Self.longAnswer)
            case SN_FAILURE_REPEAT: NetworkFailure.withoutResponse(head)
            case SN_FAILURE_STREAM_CUT: NetworkFailure(.connectionLost, detail: "its HTTP/2 stream was cut short")
            case SN_FAILURE_FRAMES: NetworkFailure(.malformedResponse, detail: "it breaks the rules for HTTP/2 frames")
            case SN_FAILURE_FLOOD:
                NetworkFailure(.malformedResponse, detail: "the server sent frames without content for too long")
            default: libraryError(for: request)
            }
        }

        private static let tooManyFields =
            NetworkFailure(.malformedResponse, detail: "the header fields are too large")
        private static let longAnswer = "the proxy's answer to CONNECT is too long"

        /// Returns whether the server may have processed the request, although no response arrived.
        ///
        /// Once something has been sent, a connection that fails is a later connection.
        private func mayBeProcessed(_ head: RequestHead) -> Bool { result.is_unanswered && !head.isRepeatable }

        private func libraryError(for request: TransportRequest) -> any Error {
            let isOfConnecting =
                [.cannotFindHost, .cannotConnect, .offline, .tls, .connectionLost].contains(kind) || result.code == 28
            if mayBeProcessed(request.head), isOfConnecting, !isRefusalOfTLS {
                return NetworkFailure.withoutResponse(request.head, words)
            }
            return switch result.code {
            case 3: SimpleNetworkingError.invalidURL(request.url.absoluteString, reason: words)
            // Of its limit on a trailer field.
            case 56 where words.contains("Out of memory in chunked"): Self.tooManyFields
            // Of its limit on all fields over HTTP/2, which makes its callback fail.
            case 56 where words.contains("mem_recv() returned -902"): Self.tooManyFields
            case 28: SimpleNetworkingError.timedOut(.connect(request.connectTimeout ?? 0), request.head)
            default: NetworkFailure(kind, detail: words)
            }
        }

        // Codes as named in curl/curl.h.
        private var kind: NetworkFailure.Kind {
            switch result.code {
            case 5, 6: .cannotFindHost
            case 7 where result.system_error == ENETUNREACH || result.system_error == ENETDOWN: .offline
            case 7, 97: .cannotConnect
            case 56 where words.contains("CONNECT"): .cannotConnect
            // With TLS 1.3, a server refuses a client certificate only after the handshake.
            case 55 where isRefusalOfTLS, 56 where isRefusalOfTLS: .tls
            case 56 where words.contains("nghttp2_session_mem_recv"), 92 where isMalformedStream: .malformedResponse
            // Some chunk errors, and too many header bytes, have no code of their own.
            case 43,
                56 where words.contains("chunk") || words.contains("Too large"):
                .malformedResponse
            // 16 is an HTTP/2 error: the server announces that it closes the connection.
            case Self.http2, 18, 52, 55, 56, 92: .connectionLost
            case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: .tls
            case 1, 8, 23, 27, 61, 100: .malformedResponse
            case 26, 65: .unreadableBody
            default: .other
            }
        }

        /// Whether the server has refused TLS, most often for the lack of a certificate.
        private var isRefusalOfTLS: Bool {
            guard words.contains("alert") else { return false }
            let reasons = ["certificate", "unknown ca", "access denied", "decrypt error", "handshake failure"]
            return reasons.contains(where: words.contains)
        }

        /// Whether the response breaks the rules for a stream; a server that says so of the request looks the same.
        private var isMalformedStream: Bool {
            ["PROTOCOL_ERROR", "FLOW_CONTROL_ERROR", "FRAME_SIZE_ERROR"].contains(where: words.contains)
        }

        private var words: String { String(cCharacters: result.detail) ?? "" }
        private var systemWords: String { String(cString: strerror(result.system_error)) }
        private var sourceWords: String {
            result.system_error == 0 ? "it ended early, or could not be opened" : systemWords
        }
    }
#endif
