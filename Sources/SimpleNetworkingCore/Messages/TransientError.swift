import SimpleNetworkingSupport

/// An error that tells whether the same operation may succeed later.
package protocol TransientError: Error {
    var isTransient: Bool { get }

    /// The number of seconds after which the operation may succeed; nil if that is unknown.
    var retryDelay: TimeInterval? { get }
}

extension TransientError {
    package var retryDelay: TimeInterval? { nil }
}

extension NetworkFailure: TransientError {
    /// Returns false for a bad certificate, an unreadable file or a protocol violation, which a retry won't fix.
    package var isTransient: Bool { ![.tls, .unreadableBody, .malformedResponse].contains(kind) }
}

extension SimpleNetworkingError: TransientError {
    /// Whether no response arrived, the server or the queue was overloaded, or something failed for such a reason.
    package var isTransient: Bool {
        switch self {
        case .networkingError(let failure, _): failure.isTransient
        case .timedOut(.attempt, _), .timedOut(.connect, _), .timedOut(.idle, _), .queueFull: true
        case .clientError(let response), .serverError(let response):
            [408, 425, 429, 500, 502, 503, 504].contains(response.httpStatus)
        case .authentication(let failure): (failure.underlying as? any TransientError)?.isTransient ?? false
        case .failed(let error, _, nil): (error as? any TransientError)?.isTransient ?? false
        default: false
        }
    }
}
