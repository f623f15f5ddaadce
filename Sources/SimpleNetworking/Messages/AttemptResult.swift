/// The result of an attempt: a response, with the error that it means, if any; or an error instead of a response.
enum AttemptResult: Sendable {
    case response(SimpleResponse, SimpleNetworkingError?)
    case failure(SimpleNetworkingError)

    /// The response, or the one that an error came with.
    var response: SimpleResponse? {
        switch self {
        case .response(let response, _): response
        case .failure(let error): error.response
        }
    }

    /// Nil for success.
    var error: SimpleNetworkingError? {
        switch self {
        case .response(_, let error): error
        case .failure(let error): error
        }
    }
}

/// How an execution ended.
typealias Outcome = Result<SimpleResponse, SimpleNetworkingError>
