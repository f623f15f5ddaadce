extension NetworkFailure {
    /// Names what URLSession reports. Where it has one code for all, as on Linux, libcurl's words decide.
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
            // What Foundation calls a bad response on Linux is a connection that closes without one.
            case .badServerResponse: .connectionLost
            case .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed: .offline
            case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
                .tls
            case .cannotDecodeRawData, .cannotDecodeContentData, .cannotParseResponse: .malformedResponse
            case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile, .requestBodyStreamExhausted:
                .unreadableBody
            default: Self(words: error.localizedDescription)
            }
    }

    private init(words: String) {
        let words = words.lowercased()
        func mentions(_ phrases: String...) -> Bool { phrases.contains { words.contains($0) } }
        self =
            if mentions("ssl", "tls", "certificate", "cipher") {
                .tls
            } else if mentions(
                "bytes remaining",
                "outstanding read data",
                "partial file",
                "recv failure",
                "send failure"
            ) {
                .connectionLost
            } else if mentions(
                "http/0.9",
                "header",
                "chunk",
                "encoding",
                "content-length",
                "incorrect",
                "inflat",
                "http"
            ) {
                .malformedResponse
            } else {
                .other
            }
    }
}
