/// What has been downloaded so far, in a file beside its destination, and what is needed to resume.
///
/// `report.pdf` grows as `report.pdf.partial`; its sidecar file `report.pdf.partial.json` says what it is the beginning
/// of. Both are removed when the download completes. Files that were replaced, or made by something else, are not
/// resumed.
struct PartialFile: Sendable {
    struct Source: Codable, Equatable {
        /// A digest: URLs may contain secrets.
        let url: String
        let validator: String

        init(_ url: URL, validator: String) {
            self.url = Digest([url.absoluteString], salt: []).text
            self.validator = validator
        }
    }

    private struct Sidecar: Codable {
        let source: Source
        /// The file number of the partial file.
        let file: UInt64
    }

    let destination: URL
    private var content: URL { destination.appendingPathExtension("partial") }
    private var sidecar: URL { content.appendingPathExtension("json") }

    /// The length so far, and the validator for requesting the rest.
    struct Beginning {
        let offset: Int
        let validator: String
    }

    /// How much there is of what is at a URL; nil to start over.
    func resumption(of url: URL) -> Beginning? {
        guard let (file, source) = opened(), source == Source(url, validator: source.validator), file.size > 0 else {
            return nil
        }
        return Beginning(offset: file.size, validator: source.validator)
    }

    /// Starts over; without a source, the file can't be resumed.
    func begin(_ source: Source?) throws -> PrivateFile {
        discard()
        let file = try PrivateFile.create(content)
        // Last, so that the sidecar never describes another file.
        if let source {
            let data = try JSONEncoder().encode(Sidecar(source: source, file: file.number))
            try PrivateFile.create(sidecar).handle.write(contentsOf: data)
        }
        return file
    }

    /// Opens the end of the file; nil if it changed meanwhile.
    func append(at offset: Int) -> PrivateFile? { opened().flatMap { $0.file.size == offset ? $0.file : nil } }

    var isResumable: Bool { opened() != nil }

    private func opened() -> (file: PrivateFile, source: Source)? {
        guard let written = try? PrivateFile.read(sidecar), written.size < 64 << 10,
            let data = try? written.handle.readToEnd(),
            let sidecar = try? JSONDecoder().decode(Sidecar.self, from: data),
            let file = try? PrivateFile.append(content), file.number == sidecar.file
        else { return nil }
        return (file, sidecar.source)
    }

    /// Moves the file to its destination, replacing what is there, if it still is the one that was written.
    func complete(_ number: UInt64) throws {
        guard try PrivateFile.read(content).number == number else {
            throw PrivateFile.Failure(path: content.path, reason: "another file has taken its place")
        }
        unlink(sidecar.path)
        guard rename(content.path, destination.path) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: destination.path])
        }
    }

    func discard() {
        // In this order: without its sidecar, a partial file isn't resumed.
        unlink(sidecar.path)
        unlink(content.path)
    }
}

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
                state.received += data.count
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
        let (written, part, end) = state.withLock { ($0.file, $0.part, $0.offset + $0.received) }
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
