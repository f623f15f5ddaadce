/// Gives the lines of content that comes in chunks, and asks for a chunk when the one before is used up.
///
/// It is not generic: what runs for each line then needs no metadata of types that only the caller's module knows.
struct LineReader {
    /// Where the chunks come from; nil at the end, so that whatever brings them may stop.
    private var source: (next: () async throws -> Data?, response: () -> SimpleResponse?)?
    private var isLastChunk = false
    private var lines: LineSplitter

    init<Base: AsyncIteratorProtocol>(
        _ base: Base,
        _ lines: LineSplitter,
        response: (@Sendable (Base) -> SimpleResponse?)?
    ) where Base.Element == Data {
        var base = base
        source = ({ try await base.next() }, { response?(base) })
        self.lines = lines
    }

    /// The number of the line that was taken last, from 1.
    var number: Int { lines.count }

    /// Takes a line of what is there; nil if `fill()` has to bring more.
    mutating func take() throws(SimpleNetworkingError) -> Data? {
        guard source != nil else { return nil }
        do throws(StreamFailure) {
            return try lines.next()
        } catch {
            throw end(with: error)
        }
    }

    /// Asks for the next chunk.
    ///
    /// - Returns: False if there is nothing more to take, now and later.
    /// - Throws: Whatever the chunks end with.
    mutating func fill() async throws -> Bool {
        guard let source, !isLastChunk else {
            source = nil
            return false
        }
        do {
            if let chunk = try await source.next() {
                lines.add(chunk)
            } else {
                lines.finish()
                isLastChunk = true
            }
            return true
        } catch {
            self.source = nil
            throw error
        }
    }

    /// Ends the lines with something that is too long.
    mutating func end(with failure: StreamFailure) -> SimpleNetworkingError {
        let response = end()
        return .failed(failure, response?.request, response)
    }

    /// Ends the lines with one that does not decode; the error's response has it as its content.
    mutating func end(with failure: SimpleNetworkingError.DecodingFailure, at line: Data) -> SimpleNetworkingError {
        guard let response = end() else { return .failed(failure, nil, nil) }
        return .decoding(failure, response.with(data: Data(line)))
    }

    private mutating func end() -> SimpleResponse? {
        defer { source = nil }
        return source?.response()
    }
}

extension SimpleResponse {
    fileprivate func with(data: Data) -> SimpleResponse {
        SimpleResponse(
            request: request,
            httpStatus: httpStatus,
            headers: headers,
            data: data,
            attempt: attempt,
            timings: timings,
            acceptableStatuses: acceptableStatuses
        )
    }
}
