import SimpleNetworkingFeatureSupport

/// Provides the chunks of a body, and the response that they belong to.
struct ChunkSource {
    let next: () async throws -> Data?
    let response: () -> SimpleResponse?
}

extension RequestSequence {
    /// Creates a sequence of elements from lines.
    ///
    /// `begin` returns a closure that makes an element from a line and its number, starting at 1, or returns nil to
    /// skip the line.
    private static func lines(
        of open: @escaping @Sendable () -> ChunkSource,
        _ splitter: LineSplitter,
        _ begin: @escaping @Sendable () -> (_ line: Data, _ number: Int, ChunkSource) throws -> Element?
    ) -> Self {
        RequestSequence {
            // Set to nil at the end, to release it.
            var source: ChunkSource? = open()
            var lines = splitter
            var isLastChunk = false
            let makeElement = begin()
            return {
                while let chunks = source {
                    do {
                        while let line = try lines.next() {
                            if let element = try makeElement(line, lines.count, chunks) { return element }
                        }
                        if isLastChunk {
                            source = nil
                        } else if let chunk = try await chunks.next() {
                            lines.add(chunk)
                        } else {
                            lines.finish()
                            isLastChunk = true
                        }
                    } catch {
                        source = nil
                        let tooLong = (error as? LineTooLong).map {
                            StreamFailure.lineTooLong(limit: $0.limit, line: $0.line)
                        }
                        guard let failure = tooLong ?? error as? StreamFailure else { throw error }
                        let response = chunks.response()
                        throw SimpleNetworkingError.failed(failure, request: response?.request, response: response)
                    }
                }
                return nil
            }
        }
    }
}

extension RequestSequence<String> {
    /// Returns the lines of a UTF-8 body.
    static func lines(of open: @escaping @Sendable () -> ChunkSource, maxLength: Int = 1 << 20) -> Self {
        let splitter = LineSplitter(lineEnd: .any, keepsUnfinished: true, limit: maxLength)
        return lines(of: open, splitter) { { line, _, _ in String(decoding: line, as: UTF8.self) } }
    }
}

extension RequestSequence<ServerSentEvent> {
    /// Returns the events of an event stream, which may continue an earlier one.
    static func events(
        of open: @escaping @Sendable () -> ChunkSource,
        maxLength: Int = 1 << 20,
        from position: EventStreamPosition? = nil
    ) -> Self {
        lines(of: open, LineSplitter(lineEnd: .any, keepsUnfinished: false, limit: maxLength)) {
            var parser = EventStreamParser(limit: maxLength, lastID: position?.lastID ?? "")
            return { line, number, _ in
                defer { position?.note(parser) }
                return try parser.read(line, number: number)
            }
        }
    }
}

extension RequestSequence where Element: Decodable & _SendableMetatype {
    /// Returns the values of JSON lines (`application/x-ndjson`).
    static func jsonLines(
        of open: @escaping @Sendable () -> ChunkSource,
        _ coders: Coders,
        memory: SecretMemory? = nil,
        maxLength: Int = 1 << 20
    ) -> Self {
        lines(of: open, LineSplitter(lineEnd: .lineFeed, keepsUnfinished: true, limit: maxLength)) {
            { line, number, source in
                if line.allSatisfy(\.isBlank) { return nil }
                do {
                    return try coders.decoder.decodeStrictly(Element.self, from: line, noting: memory)
                } catch {
                    typealias Failure = SimpleNetworkingError
                    let failure = Failure.DecodingFailure(type: Element.self, underlying: error, line: number)
                    guard let response = source.response() else { throw Failure.failed(failure) }
                    throw Failure.decoding(failure, response.with(data: Data(line)))
                }
            }
        }
    }
}

extension UInt8 {
    /// Whether the byte is a space, a tab or CR: JSON whitespace (RFC 8259 §2), except LF.
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}

extension SimpleResponse {
    fileprivate func with(data: Data) -> SimpleResponse {
        SimpleResponse(
            request: request,
            httpStatus: httpStatus,
            headers: headers,
            data: data,
            attempt: attempt,
            metrics: metrics,
            acceptableStatuses: acceptableStatuses
        )
    }
}
