import SimpleNetworkingFeatureSupport

/// Reads multipart content piece by piece while it is sent, so that the whole content is never in memory.
struct MultipartChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let pieces: [MultipartFormData.Piece]

    func makeAsyncIterator() -> Iterator { Iterator(state: Locked(MultipartReader(rest: pieces[...]))) }

    /// Returns the whole content.
    func collected(_ length: Int = 0) throws -> Data {
        var content = Data()
        content.reserveCapacity(length)
        var reader = MultipartReader(rest: pieces[...])
        while let data = try reader.read() { content.append(data) }
        return content
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let state: Locked<MultipartReader>

        /// - Throws: `NetworkFailure` with `.unreadableBody`; `CancellationError`.
        func next() async throws -> Data? {
            try Task.checkCancellation()
            // A file or a stream may block, and a task must not.
            return try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async { [state] in
                    continuation.resume(with: Result { try state.withLock { try $0.read() } })
                }
            }
        }
    }
}

/// Reads the pieces of multipart content in order.
private struct MultipartReader {
    /// The most bytes that are read at a time.
    static let chunkSize = 1 << 18

    var rest: ArraySlice<MultipartFormData.Piece>
    private var reader: PieceReader?

    init(rest: ArraySlice<MultipartFormData.Piece>) { self.rest = rest }

    /// Returns the next bytes, or nil at the end.
    mutating func read() throws -> Data? {
        while true {
            if let data = try reader?.read() { return data }
            reader = nil
            guard let piece = rest.popFirst() else { return nil }
            switch piece.source {
            case .data(let data) where data.count <= Self.chunkSize: return data
            case .data(let data): reader = try PieceReader(piece, DataStream(data))
            case .file(let url): reader = try PieceReader(piece, FileStream(url))
            case .stream(_, let open): reader = try PieceReader(piece, open())
            }
        }
    }
}

/// Reads a file or a stream, and checks that it has the announced number of bytes.
private final class PieceReader {
    private let piece: MultipartFormData.Piece
    private let stream: any ContentStream
    private var buffer = [UInt8](repeating: 0, count: MultipartReader.chunkSize)
    private var count = 0

    init(_ piece: MultipartFormData.Piece, _ stream: (any ContentStream)?) throws {
        guard let stream else { throw NetworkFailure(.unreadableBody, detail: "there is no stream for \(piece.name)") }
        self.piece = piece
        self.stream = stream
        stream.open()
    }

    deinit { stream.close() }

    /// Returns the next bytes, or nil at the end.
    func read() throws -> Data? {
        let read = stream.read(&buffer, maxLength: buffer.count)
        guard read >= 0 else {
            let reason = stream.streamError?.words ?? "it cannot be read"
            throw NetworkFailure(.unreadableBody, detail: "\(piece.name): \(reason)")
        }
        count = count.addingSaturated(read)
        // The server would take other content than announced for the next part, or for the next request.
        if let length = piece.length, count > length || read == 0 && count < length {
            let found = count > length ? "more than" : "\(count) of"
            throw NetworkFailure(.unreadableBody, detail: "\(piece.name) has \(found) \(length) bytes")
        }
        return read == 0 ? nil : Data(buffer[..<read])
    }
}
