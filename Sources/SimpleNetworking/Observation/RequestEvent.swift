/// One thing that happened to a request.
public struct RequestEvent: Sendable {
    /// Seconds since the request was first executed.
    public let time: TimeInterval
    /// What happened.
    public internal(set) var kind: Kind

    /// Says what happened.
    public enum Kind: Sendable {
        /// An attempt was sent. Attempts are counted from 1.
        case sent(RequestHead, attempt: Int)
        /// The attempt was sent again below the retry policy, as part of the same attempt.
        ///
        /// URLSession does so without telling when a kept connection breaks, and so does libcurl before 7.80.
        case resent(ResendReason)
        /// An answer came.
        case received(status: Int, bytes: Int)
        /// An attempt brought no answer.
        case failed(SimpleNetworkingError)
        /// A redirect was followed, without the header fields that are named: the new origin must not see them.
        case redirected(status: Int, to: URL, droppedCredentials: [String])
        /// Header fields were not sent, since the URL lies outside the base URL's origin.
        case withheld(fields: [String])
        /// A credential was refused, or has expired.
        case renewal(RenewalStep)
        /// The response cache had a part in the answer.
        case cache(CacheStep)
        /// A handler ran.
        case handler(HandlerRun)
        /// A further page is asked for; attempts are counted from 1 again.
        case page(number: Int)
        /// `retry()` was called, or the retry policy decided so, and the next attempt follows after a delay in seconds.
        case retry(after: TimeInterval)
        /// `retry()` was called when the client's `maxRetries` were used up.
        case limitReached(maxRetries: Int)
        /// A handler was called upon to do what it may not, and nothing was done.
        case ignored(String)
        /// The execution ended.
        case ended(Ending)
        /// It ended with an error that nobody heard of: there was no error handler, no completion handler, and nobody
        /// awaited it. The request was made in this file, as `Module/File.swift`, and line.
        case unhandled(fileID: String, line: Int)
    }

    /// Tells how an execution ended.
    public enum Ending: Sendable {
        /// With an accepted status.
        case success(status: Int)
        /// With an error.
        case failure(SimpleNetworkingError)
    }
}
