/// Gives the lines of a UTF-8 body as they arrive.
///
/// Lines end with LF, CR LF or CR, which are not part of them; the last line needs no end. Invalid bytes become U+FFFD,
/// and a byte order mark is removed. See ``SimpleNetworking/lines(for:maxLineSize:)``.
public struct TextLines: AsyncSequence, Sendable {
    let open: @Sendable () -> ChunkSource
    var maxLength = 1 << 20

    /// Makes an iterator that starts before the first line.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: LineReader(open(), LineSplitter(lineEnd: .any, keepsUnfinished: true, limit: maxLength)))
    }

    /// Waits for one line after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: LineReader

        /// Waits for the next line.
        ///
        /// - Returns: The line without its end; nil after the last one, and after an error.
        /// - Throws: The request's error; `SimpleNetworkingError.failed` with a `StreamFailure` for a line over the
        ///   limit.
        public mutating func next() async throws -> String? {
            repeat {
                if let line = try reader.take() { return String(decoding: line, as: UTF8.self) }
            } while try await reader.fill()
            return nil
        }
    }
}

/// Gives the values of JSON lines, `application/x-ndjson`, as they arrive.
///
/// Each line holds one value. Lines end with LF or CR LF; the last line needs no end. Empty lines are skipped. See
/// ``SimpleNetworking/jsonLines(of:for:maxLineSize:)``.
public struct JSONLines<Value: Decodable & _SendableMetatype>: AsyncSequence, Sendable {
    let open: @Sendable () -> ChunkSource
    let coders: Coders
    var maxLength = 1 << 20

    /// Makes an iterator that starts before the first value.
    public func makeAsyncIterator() -> Iterator {
        let lines = LineSplitter(lineEnd: .lineFeed, keepsUnfinished: true, limit: maxLength)
        return Iterator(reader: LineReader(open(), lines), coders: coders)
    }

    /// Waits for one value after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: LineReader
        fileprivate let coders: Coders

        /// Waits for the next value.
        ///
        /// - Returns: The value; nil after the last one, and after an error.
        /// - Throws: The request's error; `SimpleNetworkingError.decoding`, with the type, the coding path, the line's
        ///   number and the line as the response's body; `.failed` with a `StreamFailure` for a line over the limit.
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

extension UInt8 {
    /// Space, tab and CR: the whitespace around a value (RFC 8259 §2), except LF.
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
