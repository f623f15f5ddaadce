import SimpleNetworkingSupport

/// Describes an event that occurred during a request.
public struct RequestEvent: Sendable {
    /// The number of seconds since the request was first executed.
    public let time: TimeInterval
    /// The kind of the event.
    public internal(set) var kind: Kind

    /// Identifies the kind of an event.
    public enum Kind: Sendable {
        /// An attempt was sent. Attempts are counted from 1.
        case sent(RequestHead, attempt: Int)
        /// The transport resent the request as part of the same attempt, without consulting the retry policy.
        ///
        /// When a reused connection breaks, URLSession and versions of libcurl before 7.80 resend the request without
        /// this event.
        case resent(ResendReason)
        /// An interim response, such as 103 Early Hints, preceded the response (RFC 9110 §15.2).
        ///
        /// Interim responses with the status 100 or 101 aren't reported. On Apple platforms, interim responses are
        /// reported in iOS 17, macOS 14, tvOS 17, watchOS 10 and later. A session that you pass to the client reports
        /// none.
        case interim(status: Int, headers: HTTPHeaders)
        /// A response was received.
        case received(status: Int, bytes: Int)
        /// An attempt failed without a response.
        case failed(SimpleNetworkingError)
        /// A redirect was followed. Header fields that the new origin must not receive were removed.
        case redirected(status: Int, to: URL, removedFields: [String])
        /// Header fields were withheld, because the URL's origin is neither the base URL's origin nor a trusted origin.
        case withheld(fields: [String])
        /// A credential was rejected or had expired.
        case refresh(RefreshStep)
        /// A feature took part in handling the request, as its note says.
        case note(any RequestNote)
        /// A handler ran.
        case handler(HandlerRun)
        /// A newer request replaced this request.
        case replaced(by: RequestHead)
        /// A handler or the retry policy scheduled a retry after this many seconds.
        case retry(after: TimeInterval)
        /// A retry was refused, because the client's limit `maxRetries` was reached.
        case limitReached(maxRetries: Int)
        /// The request was suspended; see ``SimpleRequest/suspend()``.
        case suspended
        /// The suspended request was resumed.
        case resumed
        /// A handler's call, a feature's setting, or an upload's URL had no effect, for the given reason.
        case ignored(String)
        /// The execution ended with an acceptable status or an error.
        case ended(Result<Int, SimpleNetworkingError>)
        /// The execution ended with an error, but no error handler, completion handler or `await` received it.
        ///
        /// The values are the file in which the request was created, as `Module/File.swift`, and the line.
        case unhandled(fileID: String, line: Int)
    }
}

extension RequestEvent {
    /// Explains why the transport resent a request without consulting the retry policy.
    public enum ResendReason: Sendable, Hashable {
        /// A reused connection broke, or its server stopped accepting requests, before any response arrived.
        ///
        /// The transport then resends only idempotent requests (RFC 9110 §9.2.2), requests with an `Idempotency-Key`,
        /// and requests that the server is known not to have processed (RFC 9113 §8.7).
        case connectionLost
        /// The server refused `Expect: 100-continue` with 417, so the field was removed (RFC 9110 §10.1.1).
        case expectationFailed
    }

    /// Describes how the client reacted to the rejection of a request's credential.
    public enum RefreshStep: Sendable, Hashable {
        /// The request started a refresh.
        case started
        /// The request joined a refresh in progress.
        case joined
        /// The request was sent again at once with a newer credential.
        case superseded
        /// The request failed, because a refresh had just failed.
        case failed
    }
}

extension RequestEvent: Described, Redacted {
    /// The milliseconds since the start, and the kind of the event, with secrets hidden.
    package var shownText: String {
        let milliseconds = String(time.wholeMilliseconds)
        let padding = String(repeating: " ", count: max(0, 7 - milliseconds.count))
        return "\(padding)\(milliseconds) ms  \(kind)"
    }
}

extension RequestEvent.Kind: Described, Redacted {
    /// The event in one line, with secrets hidden.
    package var shownText: String {
        switch self {
        case .sent(let head, let attempt):
            "attempt \(attempt): \(head)" + (head.idempotencyKey.map { ", \(head.hiding($0.description))" } ?? "")
        case .resent(.connectionLost): "sent again: a kept connection broke before any response"
        case .resent(.expectationFailed): "sent again without Expect, which the server refused"
        case .interim(let status, _): "interim response \(status)"
        case .received(let status, let bytes): "status \(status), \(bytes) bytes"
        // The event for the end holds the details.
        case .failed(.networkingError(let failure, _)): "no response: \(failure.kind.rawValue)"
        case .failed(.timedOut): "no response in time"
        case .failed(let error): "no response: \(error.summary)"
        case .redirected(let status, let url, let dropped):
            "redirect \(status) to \(Redaction.text(of: url))"
                + (dropped.isEmpty ? "" : ", without \(dropped.joined(separator: ", "))")
        case .withheld(let fields): "not sent off the base URL's origin: \(fields.joined(separator: ", "))"
        case .refresh(.started): "refreshes the credential"
        case .refresh(.joined): "waits for the refresh of the credential"
        case .refresh(.superseded): "continues with a newer credential"
        case .refresh(.failed): "the credential could not be refreshed just before"
        case .note(let note): note.description
        case .handler(let run): run.description
        case .replaced(let head): "replaced by \(head)"
        case .retry(let delay): delay > 0 ? "retry in \(delay.wholeMilliseconds) ms" : "retry"
        case .limitReached(let maxRetries): "no retry is left of \(maxRetries)"
        case .suspended: "suspended"
        case .resumed: "resumed"
        case .ignored(let reason): "ignored: \(reason)"
        case .ended(.success(let status)): "ended: success, status \(status)"
        case .ended(.failure(let error)): "ended: \(error.summary)"
        case .unhandled(let fileID, let line): "unhandled error; the request was made at \(fileID):\(line)"
        }
    }
}
