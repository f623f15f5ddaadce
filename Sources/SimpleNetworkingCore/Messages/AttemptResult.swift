import SimpleNetworkingSupport

/// Holds the result of an attempt: a response with its error, if any, or an error without a response.
enum AttemptResult: Sendable {
    case response(SimpleResponse, SimpleNetworkingError?)
    case failure(SimpleNetworkingError)

    /// The response, or the response that the error contains, if any.
    var response: SimpleResponse? {
        switch self {
        case .response(let response, _): response
        case .failure(let error): error.response
        }
    }

    /// The error, or nil for success.
    var error: SimpleNetworkingError? {
        switch self {
        case .response(_, let error): error
        case .failure(let error): error
        }
    }
}

/// The outcome of an execution.
typealias Outcome = Result<SimpleResponse, SimpleNetworkingError>
