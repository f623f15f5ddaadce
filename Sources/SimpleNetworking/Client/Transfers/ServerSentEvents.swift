/// Gives the events of an event stream as they arrive.
///
/// The format is the HTML standard's, section *Server-sent events*: comments are skipped, and an unfinished event at
/// the end is dropped. The sequence doesn't reconnect; `id` and `retry` of the last event tell how to. See
/// ``SimpleNetworking/events(for:maxEventSize:)``.
public struct ServerSentEvents: AsyncSequence, Sendable {
    let open: @Sendable () -> ChunkSource
    var maxLength = 1 << 20

    /// Makes an iterator that starts before the first event.
    public func makeAsyncIterator() -> Iterator {
        let lines = LineSplitter(lineEnd: .any, keepsUnfinished: false, limit: maxLength)
        return Iterator(reader: LineReader(open(), lines), parser: EventStreamParser(limit: maxLength))
    }

    /// Waits for one event after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: LineReader
        fileprivate var parser: EventStreamParser

        /// Waits for the next event.
        ///
        /// - Returns: The event; nil after the last one, and after an error.
        /// - Throws: The request's error; `SimpleNetworkingError.failed` with a `StreamFailure` for a line or an event
        ///   over the limit, and for a body that is no event stream.
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
