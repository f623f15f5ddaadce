import SimpleNetworkingSupport

extension TransportRequest {
    /// Converts an error of URLSession.
    ///
    /// `hasResponse` is whether a response had begun.
    func failure(for error: any Error, hasResponse: Bool) -> any Error {
        guard let error = error as? URLError else { return NetworkFailure(.other, underlying: error) }
        switch error.code {
        case .cancelled: return SimpleNetworkingError.cancelled(head)
        case .timedOut:
            let limit = idleTimeout.map { SimpleNetworkingError.Timeout.idle($0) } ?? .attempt(timeout)
            return SimpleNetworkingError.timedOut(limit, head)
        case .badURL:
            let isIPv6 = url.host?.contains(":") == true
            let reason = isIPv6 ? "URLSession on Linux cannot reach IPv6 literals" : "URLSession does not accept it"
            return SimpleNetworkingError.invalidURL(url.absoluteString, reason: reason)
        default:
            let failure = NetworkFailure(error)
            let isUnanswered = failure.kind == .connectionLost && !hasResponse && !head.isRepeatable
            return isUnanswered ? NetworkFailure.withoutResponse(head) : failure
        }
    }
}

extension NetworkFailure {
    package init(_ error: URLError) { self.init(Kind(error), detail: error.localizedDescription, underlying: error) }
}

extension NetworkFailure.Kind {
    fileprivate init(_ error: URLError) {
        self =
            switch error.code {
            case .cannotFindHost, .dnsLookupFailed: .cannotFindHost
            case .cannotConnectToHost: .cannotConnect
            case .networkConnectionLost: .connectionLost
            #if canImport(Darwin)
                case .badServerResponse: .malformedResponse
            #else
                // The connection closed without a response.
                case .badServerResponse: .connectionLost
            #endif
            case .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed: .offline
            case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
                .tls
            // The URL was validated, so the unsupported protocol is the server's.
            case .unsupportedURL, .cannotDecodeRawData, .cannotDecodeContentData, .cannotParseResponse:
                .malformedResponse
            case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile, .requestBodyStreamExhausted:
                .unreadableBody
            default: Self(words: error.localizedDescription.lowercased())
            }
    }

    /// Determines the kind from libcurl's message, because Foundation on Linux has only one code for all errors.
    private init(words: String) { self = Self.phrases.first { $0.1.contains { words.contains($0) } }?.0 ?? .other }

    private static let phrases: KeyValuePairs<Self, [String]> = [
        .tls: ["ssl", "tls", "certificate", "cipher"],
        .connectionLost: [
            "closed", "partial file", "from the peer", "to the peer", "recv failure", "send failure", "rewind", "died",
        ],
        // libcurl reports header fields that are too large as "out of memory".
        .malformedResponse: ["http", "header", "chunk", "encoding", "content-length", "out of memory", "bad argument"],
    ]
}
