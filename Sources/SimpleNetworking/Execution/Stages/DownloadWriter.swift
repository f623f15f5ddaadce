/// Writes a response's content to a partial file, and appends or starts over, depending on the head.
final class DownloadWriter: Sendable {
    /// The response's range or content differs from the requested one, or the partial file has changed.
    struct WrongRange: Error {}

    private struct State {
        var file: OwnedFile?
        var offset = 0
        var received = 0
        /// The range of the response, if it is partial.
        var part: ContentRange?
        /// Whether the transfer is over, so that later content is ignored.
        var isOver = false

        /// The size of the file in bytes, if nothing else has written to it.
        var end: Int { offset.addingSaturated(received) }
    }

    private let file: PartialFile
    private let request: RequestHead
    /// The existing part of the file, if the rest is requested.
    private let beginning: PartialFile.Beginning?
    private let state = Locked(State())

    init(_ file: PartialFile, for request: RequestHead, resuming beginning: PartialFile.Beginning?) {
        self.file = file
        self.request = request
        self.beginning = beginning
    }

    /// The number of bytes that precede the bytes of this response.
    var offset: Int { state.withLock { $0.offset } }

    /// Writes a part under the lock, so that no part is written while or after the transfer ends.
    ///
    /// - Throws: `CancellationError` if the transfer is over, because a transport may ignore its timeout.
    func receive(_ part: ResponsePart) throws {
        try state.withLock { state in
            if state.isOver { throw CancellationError() }
            switch part {
            case .head(let status, let headers): try open(status, headers, &state)
            case .content(let data):
                state.received = state.received.addingSaturated(data.count)
                try state.file?.handle.write(contentsOf: data)
            }
        }
    }

    private func open(_ status: Int, _ headers: HTTPHeaders, _ state: inout State) throws {
        guard status == 206 else {
            state.file = try file.begin(status == 200 ? headers.source(of: request.url) : nil)
            return
        }
        if let beginning {
            guard let part = ContentRange(headers["Content-Range"]), part.first == beginning.offset,
                headers.mayContinue(beginning), headers.isIdentity, let opened = file.append(at: beginning.offset)
            else { throw WrongRange() }
            state.file = opened
            state.offset = beginning.offset
            state.part = part
        } else {
            // A part must not be mistaken for the whole.
            guard let range = request.headers["Range"], ContentRange.satisfies(range, with: headers) else {
                throw malformed(
                    "it has a range that was not requested: \(headers["Content-Range"] ?? "no Content-Range")"
                )
            }
            state.file = try file.begin(nil)
        }
    }

    func finish() throws {
        try state.withLock { state in
            if let length = state.part.map({ $0.total ?? $0.last.addingSaturated(1) }), state.end != length {
                // The beginning may not be continued after bytes that don't belong to it.
                if state.end > length { file.discard() }
                throw malformed("it ends with byte \(state.end) of \(length)")
            }
            // Not every transport reports a head.
            let whole = try state.file ?? file.begin(nil)
            let size = try whole.currentSize()
            guard size == state.end else {
                file.discard()
                throw malformed("\(state.end) bytes were written, and the file has \(size)")
            }
            state.isOver = true
            try whole.handle.close()
            try file.complete(whole.number)
        }
    }

    private func malformed(_ detail: String) -> NetworkFailure { NetworkFailure(.malformedResponse, detail: detail) }

    /// Stops writing permanently, even if the transfer continues.
    func abort() {
        state.withLock { state in
            state.isOver = true
            guard let written = state.file else { return }
            state.file = nil
            try? written.handle.close()
            if !file.isResumable { file.discard() }
        }
    }
}

extension HTTPHeaders {
    /// Returns whether a part may continue the beginning, because some servers ignore `If-Range` (RFC 9110 §15.3.7.3).
    fileprivate func mayContinue(_ beginning: PartialFile.Beginning) -> Bool {
        let name = beginning.validator.hasPrefix("\"") ? "ETag" : "Last-Modified"
        return self[name].map { $0 == beginning.validator } ?? true
    }

    /// Whether the content isn't encoded, so that it can continue content that was decoded.
    fileprivate var isIdentity: Bool { members(of: "Content-Encoding").allSatisfy { $0.lowercased() == "identity" } }

    /// Returns the validator for requesting the rest later.
    ///
    /// The result is nil if the bytes can't be counted, or if there is no strong validator.
    fileprivate func source(of url: URL) -> PartialFile.Source? {
        guard self["Accept-Ranges"]?.lowercased() != "none", isIdentity, let validator = strongValidator else {
            return nil
        }
        // Variants of a resource, in several languages for example, may have the same date.
        let isDate = !validator.hasPrefix("\"")
        return isDate && contains("Vary") ? nil : PartialFile.Source(url, validator: validator)
    }
}
