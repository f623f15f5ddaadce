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
        /// The response cache took part in handling the request.
        case cache(CacheStep)
        /// A handler ran.
        case handler(HandlerRun)
        /// The attempt began to wait until it could be sent.
        case waits(WaitReason)
        /// The attempt continued after it had waited this many seconds.
        case goesOn(after: TimeInterval)
        /// The attempt shares the transfer of an equal request that was sent earlier.
        case joined(RequestHead)
        /// A newer request replaced this request.
        case replaced(by: RequestHead)
        /// Another page was requested. For each page, attempts are counted from 1 again.
        case page(number: Int)
        /// A handler or the retry policy scheduled a retry after this many seconds.
        case retry(after: TimeInterval)
        /// A retry was refused, because the client's limit `maxRetries` was reached.
        case limitReached(maxRetries: Int)
        /// A retry was refused, because the client's ``RetryAllowance`` was used up.
        case retryRefused
        /// A ``CircuitBreaker`` took part in handling the request.
        case circuit(CircuitStep)
        /// An upload was interrupted or resumed; see ``SimpleRequest/resumesUpload(draft:record:)``.
        case upload(UploadStep)
        /// A second, equal request was sent, because no content arrived for this many seconds; see ``Hedging``.
        case hedged(after: TimeInterval)
        /// The request was suspended; see ``SimpleRequest/suspend()``.
        case suspended
        /// The suspended request was resumed.
        case resumed
        /// A handler's call, a field that a ``PaginationStyle`` names, or an upload's URL had no effect, for the given
        /// reason.
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

    /// Explains why an attempt waits before it is sent; see ``TrafficRules``.
    public enum WaitReason: Sendable, Hashable {
        /// A limit on requests was reached. The values are the attempt's position and the number of waiting attempts.
        case turn(position: Int, of: Int)
        /// The server accepts no requests for this many seconds.
        case serverLimit(TimeInterval)
        /// No connection can be made.
        case connectivity
    }

    /// Describes what a circuit breaker did for a request.
    public enum CircuitStep: Sendable, Hashable {
        /// The breaker refused the request, and sends no requests to the same origin for this many seconds.
        case refused(seconds: TimeInterval)
        /// The breaker let the request pass, to determine whether the server has recovered.
        case probed
        /// The breaker opened for this many seconds, because the request failed.
        case opened(seconds: TimeInterval)
        /// The breaker closed, because the request succeeded.
        case closed
    }

    /// Describes what happened to an upload that the server has offered to resume.
    public enum UploadStep: Sendable, Hashable {
        /// The upload was interrupted, and resumes after this many seconds.
        case interrupted(resumesAfter: TimeInterval)
        /// The upload resumed at this byte offset.
        case resumed(offset: Int)
    }

    /// Describes what the response cache did for a request.
    public enum CacheStep: Sendable, Hashable {
        /// The cache served a stored response without contacting the server.
        ///
        /// If permitted, the cache also serves a stored response instead of a server error.
        case hit
        /// The cache served a stored response that the server validated.
        case revalidated
        /// The cache stored the server's response.
        case stored
    }
}

extension RequestEvent: Described, Redacted {
    /// The milliseconds since the start, and the kind of the event, with secrets hidden.
    var shownText: String {
        let milliseconds = String(time.wholeMilliseconds)
        let padding = String(repeating: " ", count: max(0, 7 - milliseconds.count))
        return "\(padding)\(milliseconds) ms  \(kind)"
    }
}

extension RequestEvent.Kind: Described, Redacted {
    /// The event in one line, with secrets hidden.
    var shownText: String {
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
        case .cache(.hit): "served from the cache"
        case .cache(.revalidated): "served from the cache, revalidated by the server"
        case .cache(.stored): "stored in the cache"
        case .handler(let run): run.description
        case .waits(.turn(let position, let count)): "waits for its turn, \(position) of \(count)"
        case .waits(.serverLimit(let seconds)): "waits \(seconds.wholeMilliseconds) ms, as the server wants"
        case .waits(.connectivity): "waits for a connection"
        case .joined(let head): "joins \(head)"
        case .replaced(let head): "replaced by \(head)"
        case .goesOn(let seconds): "goes on after \(seconds.wholeMilliseconds) ms"
        case .page(let number): "page \(number)"
        case .retry(let delay): delay > 0 ? "retry in \(delay.wholeMilliseconds) ms" : "retry"
        case .limitReached(let maxRetries): "no retry is left of \(maxRetries)"
        case .retryRefused: "no retry: the client's retry allowance is used up"
        case .circuit(.refused(let seconds)): "refused by the circuit breaker for \(seconds.wholeMilliseconds) ms"
        case .circuit(.probed): "sent to find out whether the server is back"
        case .circuit(.opened(let seconds)): "opened the circuit breaker for \(seconds.wholeMilliseconds) ms"
        case .circuit(.closed): "closed the circuit breaker"
        case .upload(.interrupted(let delay)): "upload interrupted, resumes in \(delay.wholeMilliseconds) ms"
        case .upload(.resumed(let offset)): "upload resumes from byte \(offset)"
        case .hedged(let delay): "sent twice: no content for \(delay.wholeMilliseconds) ms"
        case .suspended: "suspended"
        case .resumed: "resumed"
        case .ignored(let reason): "ignored: \(reason)"
        case .ended(.success(let status)): "ended: success, status \(status)"
        case .ended(.failure(let error)): "ended: \(error.summary)"
        case .unhandled(let fileID, let line): "unhandled error; the request was made at \(fileID):\(line)"
        }
    }
}
