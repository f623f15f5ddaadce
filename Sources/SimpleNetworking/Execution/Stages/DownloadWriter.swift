/// Writes the content of one answer to a partial file, at its end or anew, as the answer's head says.
final class DownloadWriter: Sendable {
    /// The server sends another part than the one that was asked for, or what is there is not what it was.
    struct WrongRange: Error {}

    private struct State {
        var handle: FileHandle?
        var offset = 0
        var received = 0
        /// The part that the answer brings, if it brings the rest.
        var part: ContentRange?
    }

    private let file: PartialFile
    private let request: RequestHead
    /// How many bytes are there, if the rest is asked for.
    private let resumesAt: Int?
    private let state = Locked(State())

    init(_ file: PartialFile, for request: RequestHead, resumingAt offset: Int?) {
        self.file = file
        self.request = request
        resumesAt = offset
    }

    /// How many bytes were there before those of this answer.
    var offset: Int { state.withLock { $0.offset } }

    func receive(_ part: ResponsePart) throws {
        switch part {
        case .head(let status, let headers): try open(status, headers)
        case .content(let data):
            let handle = state.withLock { state in
                state.received += data.count
                return state.handle
            }
            try handle?.write(contentsOf: data)
        }
    }

    private func open(_ status: Int, _ headers: HTTPHeaders) throws {
        guard status == 206 else { return try begin(status == 200 ? headers.source(of: request.url) : nil) }
        if let resumesAt {
            guard let part = ContentRange(headers["Content-Range"]), part.first == resumesAt,
                let handle = file.append(at: resumesAt)
            else { throw WrongRange() }
            state.withLock { ($0.handle, $0.offset, $0.part) = (handle, resumesAt, part) }
        } else {
            // A part must not pass for the whole.
            guard let asked = request.headers["Range"], ContentRange.answers(asked, with: headers) else {
                throw malformed(
                    "it is a part that was not asked for: \(headers["Content-Range"] ?? "no Content-Range")"
                )
            }
            try begin(nil)
        }
    }

    private func begin(_ source: PartialFile.Source?) throws {
        let handle = try file.begin(source)
        state.withLock { $0.handle = handle }
    }

    /// The content is complete.
    func finish() throws {
        let (handle, part, end) = state.withLock { ($0.handle, $0.part, $0.offset + $0.received) }
        if let part, end != part.total ?? part.last + 1 {
            throw malformed("it ends with byte \(end) of \(part.total ?? part.last + 1)")
        }
        // Not every transport tells of a head.
        try (handle ?? file.begin(nil)).close()
        try file.complete()
    }

    private func malformed(_ detail: String) -> NetworkFailure { NetworkFailure(.malformedResponse, detail: detail) }

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
