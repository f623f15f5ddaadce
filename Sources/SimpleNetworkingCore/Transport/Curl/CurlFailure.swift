import SimpleNetworkingSupport

#if canImport(CLibcurl) && os(Linux)
    internal import CLibcurl

    /// Converts the C engine's result into an error.
    struct CurlFailure {
        let result: SNResult

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
                [.cannotFindHost, .cannotConnect, .offline, .tls, .connectionLost].contains(kind)
                || result.code == CURLE_OPERATION_TIMEDOUT
            if mayBeProcessed(request.head), isOfConnecting, !isRefusalOfTLS {
                return NetworkFailure.withoutResponse(request.head, words)
            }
            return switch result.code {
            case CURLE_URL_MALFORMAT: SimpleNetworkingError.invalidURL(request.url.absoluteString, reason: words)
            case CURLE_RECV_ERROR where hasTooManyFields: Self.tooManyFields
            case CURLE_OPERATION_TIMEDOUT:
                SimpleNetworkingError.timedOut(.connect(request.connectTimeout ?? 0), request.head)
            default: NetworkFailure(kind, detail: words)
            }
        }

        private var kind: NetworkFailure.Kind {
            switch result.code {
            case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST: .cannotFindHost
            case CURLE_COULDNT_CONNECT where result.system_error == ENETUNREACH || result.system_error == ENETDOWN:
                .offline
            case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED: .cannotConnect
            case CURLE_RECV_ERROR where isRefusalOfTunnel: .cannotConnect
            // With TLS 1.3, a server refuses a client certificate only after the handshake.
            case CURLE_SEND_ERROR where isRefusalOfTLS, CURLE_RECV_ERROR where isRefusalOfTLS: .tls
            case CURLE_RECV_ERROR where isMalformed, CURLE_HTTP2_STREAM where isMalformedStream: .malformedResponse
            // A malformed size of a chunk, too.
            case CURLE_BAD_FUNCTION_ARGUMENT: .malformedResponse
            case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR,
                CURLE_RECV_ERROR:
                .connectionLost
            case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM,
                CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED,
                CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
                CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
                .tls
            case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_WRITE_ERROR, CURLE_OUT_OF_MEMORY,
                CURLE_BAD_CONTENT_ENCODING, CURLE_TOO_LARGE:
                .malformedResponse
            case CURLE_READ_ERROR, CURLE_SEND_FAIL_REWIND: .unreadableBody
            default: .other
            }
        }

        var words: String { String(cCharacters: result.detail) ?? "" }
        private var systemWords: String { String(cString: strerror(result.system_error)) }
        private var sourceWords: String {
            result.system_error == 0 ? "it ended early, or could not be opened" : systemWords
        }
    }
#endif
