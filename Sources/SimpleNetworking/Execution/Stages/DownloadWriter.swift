/// Writes the content of one response to a partial file: appends or starts over, as the response's head says.
final class DownloadWriter: Sendable {
    /// The response has another range than the requested one, or is of other content, or the partial file has changed.
    struct WrongRange: Error {}

    private struct State {
        var file: PrivateFile?
        var offset = 0
        var received = 0
        /// The range of the response, if it is a part.
        var part: ContentRange?
    }

    private let file: PartialFile
    private let request: RequestHead
    /// What the partial file has, if the rest is requested.
    private let beginning: PartialFile.Beginning?
    private let state = Locked(State())

    init(_ file: PartialFile, for request: RequestHead, resuming beginning: PartialFile.Beginning?) {
        (self.file, self.request, self.beginning) = (file, request, beginning)
    }

    /// The number of bytes before those of this response.
    var offset: Int { state.withLock { $0.offset } }

    func receive(_ part: ResponsePart) throws {
        switch part {
        case .head(let status, let headers): try open(status, headers)
        case .content(let data):
            let file = state.withLock { state in
                state.received = state.received.addingSaturated(data.count)
                return state.file
            }
            try file?.handle.write(contentsOf: data)
        }
    }

    private func open(_ status: Int, _ headers: HTTPHeaders) throws {
        guard status == 206 else { return try begin(status == 200 ? headers.source(of: request.url) : nil) }
        if let beginning {
            guard let part = ContentRange(headers["Content-Range"]), part.first == beginning.offset,
                headers.mayContinue(beginning), let opened = file.append(at: beginning.offset)
            else { throw WrongRange() }
            state.withLock { ($0.file, $0.offset, $0.part) = (opened, beginning.offset, part) }
        } else {
            // A part must not be taken for the whole.
            guard let range = request.headers["Range"], ContentRange.satisfies(range, with: headers) else {
                throw malformed(
                    "it has a range that was not requested: \(headers["Content-Range"] ?? "no Content-Range")"
                )
            }
            try begin(nil)
        }
    }

    private func begin(_ source: PartialFile.Source?) throws {
        let made = try file.begin(source)
        state.withLock { $0.file = made }
    }

    func finish() throws {
        let (written, part, end) = state.withLock { ($0.file, $0.part, $0.offset.addingSaturated($0.received)) }
        if let length = part.map({ $0.total ?? $0.last.addingSaturated(1) }), end != length {
            throw malformed("it ends with byte \(end) of \(length)")
        }
        // Not every transport reports a head.
        let whole = try written ?? file.begin(nil)
        try whole.handle.close()
        try file.complete(whole.number)
    }

    private func malformed(_ detail: String) -> NetworkFailure { NetworkFailure(.malformedResponse, detail: detail) }

    func abort() {
        let written = state.withLock { state in
            defer { state.file = nil }
            return state.file
        }
        try? written?.handle.close()
        if written != nil, !file.isResumable { file.discard() }
    }
}

extension HTTPHeaders {
    /// Whether a part may be of the same content as the beginning (RFC 9110 §15.3.7.3): some servers ignore `If-Range`.
    fileprivate func mayContinue(_ beginning: PartialFile.Beginning) -> Bool {
        let name = beginning.validator.hasPrefix("\"") ? "ETag" : "Last-Modified"
        return self[name].map { $0 == beginning.validator } ?? true
    }

    /// The validator for requesting the rest later; nil if the bytes can't be counted or there is no strong validator.
    fileprivate func source(of url: URL) -> PartialFile.Source? {
        guard self["Accept-Ranges"]?.lowercased() != "none",
            self["Content-Encoding"].map({ $0.lowercased() == "identity" }) ?? true
        else { return nil }
        return strongValidator.map { PartialFile.Source(url, validator: $0) }
    }
}
