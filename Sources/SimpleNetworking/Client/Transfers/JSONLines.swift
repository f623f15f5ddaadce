/// Gives values one by one, as they come: an asynchronous sequence over the chunks of JSON lines, `application/x-ndjson`.
///
/// Each line is a value; LF and CR LF end it, and the last one may have no end. Empty lines are passed over. No chunk is
/// asked for before the values of the one before are used up.
public struct JSONLines<Value: Decodable & SendableMetatype, Base: AsyncSequence>: AsyncSequence
where Base.Element == Data {
    let base: Base
    let coders: Coders
    let maxLength: Int
    let response: (@Sendable (Base.AsyncIterator) -> SimpleResponse?)?

    /// - Parameters:
    ///   - type: The type of a value.
    ///   - base: The chunks.
    ///   - decoder: Makes a value of a line.
    ///   - maxLength: The most bytes a line may have.
    ///   - response: Gives the answer that the chunks are of, for errors.
    init(
        of type: Value.Type = Value.self,
        _ base: Base,
        decoder: any ResponseDecoder,
        maxLength: Int = 1 << 20,
        response: (@Sendable (Base.AsyncIterator) -> SimpleResponse?)? = nil
    ) {
        self.base = base
        coders = Coders(decoder: decoder)
        self.maxLength = maxLength
        self.response = response
    }

    /// Gives an iterator that stands before the first value.
    public func makeAsyncIterator() -> Iterator {
        let lines = LineSplitter(lineEnd: .lineFeed, keepsUnfinished: true, limit: maxLength)
        return Iterator(reader: LineReader(base.makeAsyncIterator(), lines, response: response), coders: coders)
    }

    /// Gives one value after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: LineReader
        fileprivate let coders: Coders

        /// Gives the next value, and waits for it if need be.
        ///
        /// - Returns: The value; nil after the last one, and after an error.
        /// - Throws: What the chunks end with; `SimpleNetworkingError.decoding` for a line that does not decode, which
        ///   names the type, the place and the number of the line, and has the line as its response's content; `.failed`
        ///   with a `StreamFailure` for a line of more bytes than the limit.
        public mutating func next() async throws -> Value? {
            repeat {
                while let line = try reader.take() {
                    if !line.allSatisfy(\.isBlank) { return try value(of: line) }
                }
            } while try await reader.fill()
            return nil
        }

        private mutating func value(of line: Data) throws(SimpleNetworkingError) -> Value {
            do {
                return try coders.decoder.decode(Value.self, from: line)
            } catch {
                throw reader.end(with: .init(type: Value.self, underlying: error, line: reader.number), at: line)
            }
        }
    }
}

extension JSONLines: Sendable where Base: Sendable {}

extension UInt8 {
    /// Space, tab and CR: what may stand around a value (RFC 8259 §2), but for LF.
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
