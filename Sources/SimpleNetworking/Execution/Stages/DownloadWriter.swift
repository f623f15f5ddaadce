/// Writes the content of one answer to a partial file, at its end or anew, as the answer's head says.
final class DownloadWriter: Sendable {
    /// The server sends another part than the one that was asked for.
    struct WrongRange: Error {}

    private struct State {
        var handle: FileHandle?
        var offset = 0
    }

    private let file: PartialFile
    private let url: URL
    /// How many bytes are there, if the rest is asked for.
    private let resumesAt: Int?
    private let state = Locked(State())

    init(_ file: PartialFile, from url: URL, resumingAt offset: Int?) {
        self.file = file
        self.url = url
        resumesAt = offset
    }

    /// How many bytes were there before those of this answer.
    var offset: Int { state.withLock { $0.offset } }

    func receive(_ part: ResponsePart) throws {
        switch part {
        case .head(let status, let headers): try open(status, headers)
        case .content(let data): try state.withLock { $0.handle }?.write(contentsOf: data)
        }
    }

    private func open(_ status: Int, _ headers: HTTPHeaders) throws {
        if let resumesAt, status == 206 {
            guard ContentRange(headers["Content-Range"])?.first == resumesAt else { throw WrongRange() }
            let handle = try file.append()
            state.withLock { ($0.handle, $0.offset) = (handle, resumesAt) }
        } else {
            let handle = try file.begin(status == 200 ? headers.source(of: url) : nil)
            state.withLock { $0.handle = handle }
        }
    }

    /// The content is complete.
    func finish() throws {
        // Not every engine tells of the head of an answer without content.
        let handle = try state.withLock { $0.handle } ?? file.begin(nil)
        try handle.close()
        try file.complete()
    }

    /// The content ends before its end.
    func abort() {
        let handle = state.withLock { state in
            defer { state.handle = nil }
            return state.handle
        }
        try? handle?.close()
        if handle != nil, !file.isResumable { file.discard() }
    }
}

extension HTTPHeaders {
    /// What a later attempt may ask for the rest with; nil if there are no bytes to count, or no name for them.
    fileprivate func source(of url: URL) -> PartialFile.Source? {
        guard self["Accept-Ranges"]?.lowercased() != "none",
            self["Content-Encoding"].map({ $0.lowercased() == "identity" }) ?? true
        else { return nil }
        return strongValidator.map { PartialFile.Source(url, validator: $0) }
    }
}
