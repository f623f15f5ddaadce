/// Says where the content of an answer goes.
///
/// Only the content of a success (200...299) goes to a file or a stream. That of any other answer, a redirect or an
/// error, comes in memory, within the request's `maxResponseSize`, so that it can be read. A transport that knows no
/// sinks may return a success in memory too: the client then takes its content where the sink says.
public enum ResponseSink: Sendable {
    /// Keeps the content in memory, at most `maxResponseSize` bytes.
    case memory
    /// Writes the content to a file, which is replaced; with `appendingPartialContent`, an answer 206 goes to its end.
    ///
    /// A link, a file of another user and what is no file are not written to: that is an error.
    /// What came of a transfer that fails stays there, so that it can be resumed.
    case file(URL, appendingPartialContent: Bool = false)
    /// Gives the head and then the content, piece by piece, while it comes.
    ///
    /// The closure runs in the task that sends, one call at a time. The server waits while it does, as far as the
    /// transport can make it wait: see `URLSessionTransport`. What it throws ends the transfer, and is thrown on.
    /// `maxResponseSize` applies only to content that came compressed although the request did not accept that.
    case stream(@Sendable (ResponsePart) async throws -> Void)
}
