/// How an attempt ended.
enum Verdict: Sendable {
    /// An answer came; the error is what it means, nil for success.
    case answered(SimpleResponse, SimpleNetworkingError?)
    /// No answer came.
    case failed(SimpleNetworkingError)

    /// The answer, or the one that an error came with.
    var response: SimpleResponse? {
        switch self {
        case .answered(let response, _): response
        case .failed(let error): error.response
        }
    }

    var error: SimpleNetworkingError? {
        switch self {
        case .answered(_, let error): error
        case .failed(let error): error
        }
    }
}
