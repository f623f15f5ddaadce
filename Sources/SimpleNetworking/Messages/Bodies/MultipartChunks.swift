/// Reads multipart content piece by piece while it is sent, so that it is never in memory or on disk as a whole.
struct MultipartChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let pieces: [MultipartFormData.Piece]

    func makeAsyncIterator() -> Iterator { Iterator(rest: pieces[...]) }

    /// Returns the content as a whole.
    func collected(_ length: Int) throws -> Data {
        var content = Data()
        content.reserveCapacity(length)
        var iterator = makeAsyncIterator()
        while let data = try iterator.read() { content.append(data) }
        return content
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var rest: ArraySlice<MultipartFormData.Piece>
        private var reader: PieceReader?

        fileprivate init(rest: ArraySlice<MultipartFormData.Piece>) { self.rest = rest }

        /// - Throws: `NetworkFailure` with `.unreadableBody`.
        mutating func next() async throws -> Data? { try read() }

        fileprivate mutating func read() throws -> Data? {
            while true {
                if let data = try reader?.read() { return data }
                reader = nil
                guard let piece = rest.popFirst() else { return nil }
                switch piece.source {
                case .data(let data): return data
                case .file(let url): reader = try PieceReader(piece, InputStream(url: url))
                case .stream(_, let open): reader = try PieceReader(piece, open())
                }
            }
        }
    }
}

/// Reads a file or a stream, and checks that it has the announced number of bytes.
private final class PieceReader {
    /// The most bytes that are in memory at a time.
    private static let chunkSize = 1 << 18

    private let piece: MultipartFormData.Piece
    private let stream: InputStream
    private var count = 0

    init(_ piece: MultipartFormData.Piece, _ stream: InputStream?) throws {
        guard let stream else { throw NetworkFailure(.unreadableBody, detail: "there is no stream for \(piece.name)") }
        self.piece = piece
        self.stream = stream
        stream.open()
    }

    deinit { stream.close() }

    /// Returns the next bytes; nil at the end.
    func read() throws -> Data? {
        var data = Data(count: Self.chunkSize)
        let read = data.withUnsafeMutableBytes { buffer in
            buffer.bindMemory(to: UInt8.self).baseAddress.map { stream.read($0, maxLength: buffer.count) } ?? 0
        }
        guard read >= 0 else {
            let reason = stream.streamError?.words ?? "it cannot be read"
            throw NetworkFailure(.unreadableBody, detail: "\(piece.name): \(reason)")
        }
        count = count.addingSaturated(read)
        // Other content than announced would be taken for the next part, or for the next request.
        if let length = piece.length, count > length || read == 0 && count < length {
            let found = count > length ? "more than" : "\(count) of"
            throw NetworkFailure(.unreadableBody, detail: "\(piece.name) has \(found) \(length) bytes")
        }
        return read == 0 ? nil : data.prefix(read)
    }
}
