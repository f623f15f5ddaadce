/// Brings the chunks of a body, and the response that they belong to.
struct ChunkSource {
    let next: () async throws -> Data?
    let response: () -> SimpleResponse?
}

/// Reads lines from chunks, and takes a chunk when the lines of the previous one are used up.
struct LineReader {
    /// Nil at the end, which releases the source.
    private var source: ChunkSource?
    private var isLastChunk = false
    private var lines: LineSplitter

    init(_ source: ChunkSource, _ lines: LineSplitter) {
        self.source = source
        self.lines = lines
    }

    /// The number of the line that was taken last, from 1.
    var number: Int { lines.count }

    /// Waits for the line that makes the next element; nil after the last one.
    mutating func next<Element>(
        _ makeElement: (_ line: Data, inout LineReader) throws -> Element?
    ) async throws -> Element? {
        repeat {
            while let line = try take() {
                if let element = try makeElement(line, &self) { return element }
            }
        } while try await fill()
        return nil
    }

    /// Takes a line from the chunks so far; nil if `fill()` has to bring more.
    private mutating func take() throws(SimpleNetworkingError) -> Data? {
        guard source != nil else { return nil }
        do throws(StreamFailure) {
            return try lines.next()
        } catch {
            throw end(with: error)
        }
    }

    /// Waits for the next chunk.
    ///
    /// - Returns: False after the last line.
    /// - Throws: The error that the chunks end with.
    private mutating func fill() async throws -> Bool {
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

    /// Ends the lines at one that is too long.
    mutating func end(with failure: StreamFailure) -> SimpleNetworkingError {
        let response = end()
        return .failed(failure, response?.request, response)
    }

    /// Ends the lines at one that can't be decoded; the error's response has it as its body.
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
            timings: metrics,
            acceptableStatuses: acceptableStatuses
        )
    }
}
