/// Gives a server's events one by one, as they come: an asynchronous sequence over the chunks of an event stream.
///
/// The format is that of the HTML standard, section *Server-sent events*: comments are passed over, and an event that the
/// stream ends within is none. No chunk is asked for before the events of the one before are used up. It does not
/// connect anew: `id` and `retry` of the last event say how to.
public struct ServerSentEvents<Base: AsyncSequence>: AsyncSequence where Base.Element == Data {
    let base: Base
    let maxLength: Int
    let response: (@Sendable (Base.AsyncIterator) -> SimpleResponse?)?

    /// - Parameters:
    ///   - base: The chunks.
    ///   - maxLength: The most bytes a line, and an event's text, may have.
    ///   - response: Gives the answer that the chunks are of, for errors.
    init(
        _ base: Base,
        maxLength: Int = 1 << 20,
        response: (@Sendable (Base.AsyncIterator) -> SimpleResponse?)? = nil
    ) {
        self.base = base
        self.maxLength = maxLength
        self.response = response
    }

    /// Gives an iterator that stands before the first event.
    public func makeAsyncIterator() -> Iterator {
        let lines = LineSplitter(lineEnd: .any, keepsUnfinished: false, limit: maxLength)
        return Iterator(
            reader: LineReader(base.makeAsyncIterator(), lines, response: response),
            parser: EventStreamParser(limit: maxLength)
        )
    }

    /// Gives one event after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: LineReader
        fileprivate var parser: EventStreamParser

        /// Gives the next event, and waits for it if need be.
        ///
        /// - Returns: The event; nil after the last one, and after an error.
        /// - Throws: What the chunks end with; or `SimpleNetworkingError.failed` with a `StreamFailure` for a line or an
        ///   event of more bytes than the limit, or for content that is no event stream.
        public mutating func next() async throws -> ServerSentEvent? {
            repeat {
                while let line = try reader.take() {
                    if let event = try event(at: line) { return event }
                }
            } while try await reader.fill()
            return nil
        }

        private mutating func event(at line: Data) throws(SimpleNetworkingError) -> ServerSentEvent? {
            do throws(StreamFailure) {
                return try parser.read(line, number: reader.number)
            } catch {
                throw reader.end(with: error)
            }
        }
    }
}

extension ServerSentEvents: Sendable where Base: Sendable {}
