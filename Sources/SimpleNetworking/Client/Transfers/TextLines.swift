/// Gives text line by line, as it comes: an asynchronous sequence over the chunks of UTF-8 text.
///
/// LF, CR LF and CR end a line, and are not part of it; a last line without an end is one. Bytes that are no UTF-8 become
/// U+FFFD, and a byte order mark is not part of the text. No chunk is asked for before the lines of the one before are
/// used up.
public struct TextLines<Base: AsyncSequence>: AsyncSequence where Base.Element == Data {
    let base: Base
    let maxLength: Int
    let response: (@Sendable (Base.AsyncIterator) -> SimpleResponse?)?

    /// - Parameters:
    ///   - base: The chunks.
    ///   - maxLength: The most bytes a line may have.
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

    /// Gives an iterator that stands before the first line.
    public func makeAsyncIterator() -> Iterator {
        let lines = LineSplitter(lineEnd: .any, keepsUnfinished: true, limit: maxLength)
        return Iterator(reader: LineReader(base.makeAsyncIterator(), lines, response: response))
    }

    /// Gives one line after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: LineReader

        /// Gives the next line, and waits for it if need be.
        ///
        /// - Returns: The line without its end; nil after the last one, and after an error.
        /// - Throws: What the chunks end with; or `SimpleNetworkingError.failed` with a `StreamFailure` for a line of more
        ///   bytes than the limit.
        public mutating func next() async throws -> String? {
            repeat {
                if let line = try reader.take() { return String(decoding: line, as: UTF8.self) }
            } while try await reader.fill()
            return nil
        }
    }
}

extension TextLines: Sendable where Base: Sendable {}
