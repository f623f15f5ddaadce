extension RequestEvent: CustomStringConvertible, CustomReflectable {
    /// Shows no more than the description does.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }

    /// Milliseconds since the start, and what happened, with secrets hidden.
    public var description: String {
        let milliseconds = String(time.wholeMilliseconds)
        let padding = String(repeating: " ", count: max(0, 7 - milliseconds.count))
        return "\(padding)\(milliseconds) ms  \(kind)"
    }
}

extension RequestEvent.Kind: CustomStringConvertible, CustomReflectable {
    /// Shows no more than the description does.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }

    /// What happened, in one line, with secrets hidden.
    public var description: String {
        switch self {
        case .sent(let head, let attempt): "attempt \(attempt): \(head)"
        case .resent(.connectionLost): "sent again: a kept connection broke before any response"
        case .resent(.unknownCoding): "sent again, to take the content in its unknown coding"
        case .resent(.expectationFailed): "sent again without Expect, which the server refused"
        case .received(let status, let bytes): "status \(status), \(bytes) bytes"
        // The end tells the rest.
        case .failed(.networkingError(let failure, _)): "no answer: \(failure.kind.rawValue)"
        case .failed(.timedOut): "no answer in time"
        case .failed(let error): "no answer: \(error.summary)"
        case .redirected(let status, let url, let dropped):
            "redirect \(status) to \(Redaction.text(of: url))"
                + (dropped.isEmpty ? "" : ", without \(dropped.joined(separator: ", "))")
        case .withheld(let fields): "not sent off the base URL's origin: \(fields.joined(separator: ", "))"
        case .renewal(.started): "renews the credential"
        case .renewal(.joined): "waits for the renewal of the credential"
        case .renewal(.outdated): "goes on with a newer credential"
        case .renewal(.failed): "the credential could not be renewed just before"
        case .cache(.hit): "answered from the cache"
        case .cache(.confirmed): "answered from the cache, which the server confirmed"
        case .cache(.stored): "stored in the cache"
        case .handler(let run): run.description
        case .page(let number): "page \(number)"
        case .retry(let delay): delay > 0 ? "retry in \(delay.wholeMilliseconds) ms" : "retry"
        case .limitReached(let maxRetries): "no retry is left of \(maxRetries)"
        case .ignored(let reason): "ignored: \(reason)"
        case .ended(.success(let status)): "ended: success, status \(status)"
        case .ended(.failure(let error)): "ended: \(error.summary)"
        case .unhandled(let fileID, let line): "nobody heard of it; the request was made at \(fileID):\(line)"
        }
    }
}

extension HandlerRun: CustomStringConvertible {
    /// What the handler waited for, where it was written and ran, and what it decided.
    public var description: String {
        let refusal = kind == .page ? "no more" : "taken over"
        let decision = decision.map { $0 ? " → true, go on" : " → false, \(refusal)" } ?? ""
        return "handler for \(kind) (\(fileID):\(line)) on \(place)\(decision)"
    }
}

extension HandlerRun.Kind: CustomStringConvertible {
    /// What the handler waits for, in a word or two.
    public var description: String {
        switch self {
        case .status(let statuses): "status \(statuses)"
        case .noResponse: "no response"
        case .page: "page"
        case .success: "success"
        case .error: "error"
        case .completion: "completion"
        case .start: "start"
        case .retry: "retry"
        case .redirect: "redirect"
        case .progress: "progress"
        }
    }
}

extension TimeInterval {
    /// Whole milliseconds, for texts.
    var wholeMilliseconds: Int64 { Int64(saturating: (self * 1000).rounded()) }
}
