import SimpleNetworkingSupport

extension RefreshFailure: TransientError {
    package var isTransient: Bool { if case .timedOut = self { true } else { false } }
}

extension SimpleNetworking.Configuration {
    /// Returns whether the client takes a response for a limit of the server, although its status is another one.
    package func isSecondaryLimit(_ response: SimpleResponse) -> Bool {
        options.isLimit(response.httpStatus, response.headers)
    }
}

extension SimpleNetworkingError {
    /// The delay that the server asks for, or what kept the request from being sent.
    package var retryDelay: TimeInterval? {
        switch self {
        case .authentication(let failure): (failure.underlying as? any TransientError)?.retryDelay
        case .failed(let error, _, nil): (error as? any TransientError)?.retryDelay
        default: response?.headers.retryAfter()
        }
    }
}
