import SimpleNetworkingSupport

extension SimpleNetworkingError {
    /// The matching `URLError`, for code that handles Foundation's errors; nil if no `URLError` matches.
    ///
    /// If URLSession reported an error, this property returns that error. Errors that concern a status, decoding or
    /// credentials, and errors that your code throws, don't have a matching `URLError`.
    public var urlError: URLError? {
        if case .networkingError(let failure, _) = self, let error = failure.underlying as? URLError { return error }
        guard let code = urlErrorCode else { return nil }
        var details: [String: Any] = [NSLocalizedDescriptionKey: description]
        if let url = request?.url { details[NSURLErrorFailingURLErrorKey] = url }
        return URLError(code, userInfo: details)
    }

    private var urlErrorCode: URLError.Code? {
        switch self {
        case .networkingError(let failure, _): failure.kind.urlErrorCode
        case .timedOut: .timedOut
        case .cancelled: .cancelled
        case .invalidURL: .badURL
        case .redirect: .httpTooManyRedirects
        case .tooLarge: .dataLengthExceedsMaximum
        case .notCached: .resourceUnavailable
        default: nil
        }
    }
}

extension NetworkFailure.Kind {
    fileprivate var urlErrorCode: URLError.Code {
        switch self {
        case .cannotFindHost: .cannotFindHost
        case .cannotConnect: .cannotConnectToHost
        case .connectionLost: .networkConnectionLost
        case .offline: .notConnectedToInternet
        case .tls: .secureConnectionFailed
        case .malformedResponse: .badServerResponse
        case .unreadableBody: .requestBodyStreamExhausted
        default: .unknown
        }
    }
}
