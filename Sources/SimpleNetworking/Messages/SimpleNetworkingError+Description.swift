extension SimpleNetworkingError: LocalizedError, CustomStringConvertible {
    /// Says in a sentence or two what was asked, what came back, and what to do; secrets are hidden.
    public var errorDescription: String? { description }

    /// Says in a sentence or two what was asked, what came back, and what to do; secrets are hidden.
    ///
    /// Of a 4xx or 5xx response with textual content, it shows the first 200 characters.
    public var description: String {
        switch self {
        case .clientError(let response), .serverError(let response): hiding(sentence + response.excerpt)
        default: summary
        }
    }

    /// The description without anything of the content, for traces and logs: they write content only where asked to.
    var summary: String { hiding(sentence) }

    private func hiding(_ text: String) -> String { request?.hiding(text) ?? text }

    private var sentence: String {
        let asked = request.map(\.description) ?? "The request"
        return switch self {
        case .invalidURL(let text, let reason):
            "No address can be made from “\(Redaction.text(ofURL: text))”: \(reason)."
        case .invalidRequest(let reason, _): "\(asked) was not sent: \(reason)."
        case .networkingError(let failure, _): "\(asked) got no answer: \(failure)."
        case .clientError(let response):
            "\(asked) was refused with status \(response.httpStatus)."
        case .serverError(let response):
            "\(asked) failed on the server with status \(response.httpStatus). Trying again later may help."
        case .invalidResponse(let response):
            "\(asked) was answered with status \(response.httpStatus), which is not accepted."
        case .decoding(let failure, let response):
            "\(asked) was answered with status \(response.httpStatus), but the content is no \(failure)."
        case .timedOut(let timeout, _): "\(asked) \(timeout)."
        case .tooLarge(let limit, _):
            "\(asked) was answered with more than \(limit) bytes. Raise maxResponseSize, or download to a file."
        case .redirect(let reason, _): "\(asked) was redirected, and the redirect was not followed: \(reason)."
        case .authentication(let failure): "\(asked) could not be authenticated: \(failure.reason)"
        case .recursion(let limit, _):
            "\(asked) was not sent: status handlers made it while they already wait for \(limit) requests of their own. "
                + "Give it a status handler of its own, so that it does not set off the one that made it."
        case .notCached: "\(asked) was to be answered from the cache only, which has nothing that may answer it."
        case .cancelled: "\(asked) was cancelled."
        case .abandoned(_, let response):
            "\(asked) was abandoned after \(response.map { "status \($0.httpStatus)" } ?? "no answer"): a handler took it "
                + "over by returning false, and nobody is left who could go on with it. If that is not meant, have it "
                + "call retry(), fail(_:) or succeed(with:), or return true."
        case .failed(let error, _, _): "\(asked) failed: \(error)."
        }
    }
}

extension SimpleNetworkingError.Timeout: CustomStringConvertible {
    /// What took too long, as the end of a sentence.
    public var description: String {
        switch self {
        case .attempt(let seconds): "got no complete answer within its timeout of \(seconds.plain) s"
        case .deadline(let seconds): "did not end within its deadline of \(seconds.plain) s, all attempts counted in"
        case .connect(let seconds): "got no connection within \(seconds.plain) s"
        case .idle(let seconds): "saw no byte move for \(seconds.plain) s"
        }
    }
}

extension SimpleNetworkingError.DecodingFailure: CustomStringConvertible {
    /// The type, the place and the decoder's words.
    public var description: String {
        let words =
            switch underlying {
            case DecodingError.keyNotFound(_, let context), DecodingError.typeMismatch(_, let context),
                DecodingError.valueNotFound(_, let context), DecodingError.dataCorrupted(let context):
                context.debugDescription
            default: "\(underlying)"
            }
        let place = (codingPath.isEmpty ? "" : " at \(codingPath)") + (line.map { " in line \($0)" } ?? "")
        return type + place + " (\(words))"
    }
}

extension TimeInterval {
    fileprivate var plain: String { self == rounded() && abs(self) < 1e9 ? String(Int(self)) : String(self) }
}
