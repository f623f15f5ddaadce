extension SimpleNetworkingError {
    /// Gives any error that a transport, a hook or user code threw its place among the cases.
    init(_ error: any Error, head: RequestHead?, response: SimpleResponse? = nil) {
        switch error {
        case let error as SimpleNetworkingError: self = error
        case is CancellationError: self = .cancelled(head)
        case let failure as NetworkFailure where head != nil:
            self = head.map { .networkingError(failure, $0) } ?? .failed(failure, nil, response)
        default: self = .failed(error, head, response)
        }
    }
}
