/// What has come of a download so far, in a file beside its destination, and what is needed to go on with it.
///
/// `report.pdf` grows as `report.pdf.partial`, and `report.pdf.partial.json` says what it is the beginning of. Both are
/// gone when the download is complete.
struct PartialFile: Sendable {
    /// How a server knows the content again.
    struct Source: Codable, Equatable {
        /// A digest: addresses may hold secrets.
        let address: String
        let validator: String

        init(_ url: URL, validator: String) {
            address = Digest([url.absoluteString], salt: []).text
            self.validator = validator
        }
    }

    let destination: URL
    var content: URL { destination.appendingPathExtension("partial") }
    private var note: URL { content.appendingPathExtension("json") }

    /// How many bytes are there of what is at an address, and what to ask for the rest with; nil to begin anew.
    func resumption(of url: URL) -> (offset: Int, validator: String)? {
        guard let data = try? Data(contentsOf: note), let source = try? JSONDecoder().decode(Source.self, from: data),
            source == Source(url, validator: source.validator),
            let size = try? content.resourceValues(forKeys: [.fileSizeKey]).fileSize, size > 0
        else { return nil }
        return (size, source.validator)
    }

    /// Begins anew.
    ///
    /// What the source names can be gone on with; without one the file cannot.
    func begin(_ source: Source?) throws -> FileHandle {
        discard()
        try Data().write(to: content)
        // Last, so that a note never speaks of another file.
        if let source { try JSONEncoder().encode(source).write(to: note, options: .atomic) }
        return try FileHandle(forWritingTo: content)
    }

    /// Goes on at the end of what is there.
    func append() throws -> FileHandle {
        let handle = try FileHandle(forWritingTo: content)
        try handle.seekToEnd()
        return handle
    }

    /// Whether a further attempt may go on with it.
    var isResumable: Bool { FileManager.default.fileExists(atPath: note.path) }

    /// Puts the file where it belongs, in place of what is there.
    func complete() throws {
        try? FileManager.default.removeItem(at: note)
        guard rename(content.path, destination.path) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: destination.path])
        }
    }

    /// Leaves nothing.
    func discard() {
        // In this order: without its note, a file is gone on with by nobody.
        try? FileManager.default.removeItem(at: note)
        try? FileManager.default.removeItem(at: content)
    }
}
