extension RequestSequence<String> {
    /// The lines of a UTF-8 body.
    static func lines(of open: @escaping @Sendable () -> ChunkSource, maxLength: Int = 1 << 20) -> Self {
        RequestSequence {
            var reader = LineReader(open(), LineSplitter(lineEnd: .any, keepsUnfinished: true, limit: maxLength))
            return { try await reader.next { line, _ in String(decoding: line, as: UTF8.self) } }
        }
    }
}

extension RequestSequence<ServerSentEvent> {
    /// The events of an event stream.
    static func events(of open: @escaping @Sendable () -> ChunkSource, maxLength: Int = 1 << 20) -> Self {
        RequestSequence {
            let lines = LineSplitter(lineEnd: .any, keepsUnfinished: false, limit: maxLength)
            var reader = LineReader(open(), lines)
            var parser = EventStreamParser(limit: maxLength)
            return {
                try await reader.next { line, reader in
                    do throws(StreamFailure) {
                        return try parser.read(line, number: reader.number)
                    } catch {
                        throw reader.end(with: error)
                    }
                }
            }
        }
    }
}

extension RequestSequence where Element: Decodable & _SendableMetatype {
    /// The values of JSON lines, `application/x-ndjson`.
    static func jsonLines(
        of open: @escaping @Sendable () -> ChunkSource,
        _ coders: Coders,
        memory: SecretMemory? = nil,
        maxLength: Int = 1 << 20
    ) -> Self {
        RequestSequence {
            var reader = LineReader(open(), LineSplitter(lineEnd: .lineFeed, keepsUnfinished: true, limit: maxLength))
            return {
                try await reader.next { line, reader in
                    if line.allSatisfy(\.isBlank) { return nil }
                    do {
                        return try Secret.$memory.withValue(memory) {
                            try coders.decoder.decode(Element.self, from: line)
                        }
                    } catch {
                        let failure = SimpleNetworkingError.DecodingFailure(
                            type: Element.self,
                            underlying: error,
                            line: reader.number
                        )
                        throw reader.end(with: failure, at: line)
                    }
                }
            }
        }
    }
}

extension UInt8 {
    /// Space, tab and CR: the whitespace around a value (RFC 8259 §2), except LF.
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
