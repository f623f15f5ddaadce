/// How an attempt ended.
enum Verdict: Sendable {
    /// An answer came; the error is what it means, nil for success.
    case answered(SimpleResponse, SimpleNetworkingError?)
    /// No answer came.
    case failed(SimpleNetworkingError)

    var error: SimpleNetworkingError? {
        switch self {
        case .answered(_, let error): error
        case .failed(let error): error
        }
    }
}
