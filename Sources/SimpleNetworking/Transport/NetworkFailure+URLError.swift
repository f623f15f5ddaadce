extension NetworkFailure {
    /// Names what URLSession reports.
    ///
    /// Where it has one code for all, as on Linux, libcurl's words decide.
    init(_ error: URLError) {
        self.init(Kind(error), detail: error.localizedDescription, underlying: error)
    }
}

extension NetworkFailure.Kind {
    fileprivate init(_ error: URLError) {
        self =
            switch error.code {
            case .cannotFindHost, .dnsLookupFailed: .cannotFindHost
            case .cannotConnectToHost: .cannotConnect
            case .networkConnectionLost: .connectionLost
            case .badServerResponse: .badServerResponse
            case .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed: .offline
            case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
                .tls
            // The address was checked, so an unsupported protocol is what the server answers in; and libcurl says that
            // memory is short when header fields are too large for it.
            case .unsupportedURL, .cannotDecodeRawData, .cannotDecodeContentData, .cannotParseResponse:
                .malformedResponse
            case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile, .requestBodyStreamExhausted:
                .unreadableBody
            default: Self(words: error.localizedDescription)
            }
    }

    private static var badServerResponse: Self {
        #if canImport(Darwin)
            .malformedResponse
        #else
            // What Foundation calls a bad response on Linux is a connection that closes without one.
            .connectionLost
        #endif
    }

    private init(words: String) {
        let words = words.lowercased()
        self = Self.phrases.first { $0.1.contains { words.contains($0) } }?.0 ?? .other
    }

    private static let phrases: [(Self, [String])] = [
        (.tls, ["ssl", "tls", "certificate", "cipher"]),
        (
            .connectionLost,
            [
                "closed", "partial file", "from the peer", "to the peer", "recv failure", "send failure", "rewind",
                "died",
            ]
        ),
        (
            .malformedResponse,
            ["http", "header", "chunk", "encoding", "content-length", "out of memory", "bad argument"]
        ),
    ]
}
