/// What has come of a download so far, in a file beside its destination, and what is needed to go on with it.
///
/// `report.pdf` grows as `report.pdf.partial`, and `report.pdf.partial.json` says what it is the beginning of. Both are
/// gone when the download is complete. A file that somebody else made, or put in the place of one of them, is not gone on
/// with.
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

    private struct Note: Codable {
        let source: Source
        /// The number of the file that it speaks of.
        let file: UInt64
    }

    let destination: URL
    private var content: URL { destination.appendingPathExtension("partial") }
    private var note: URL { content.appendingPathExtension("json") }

    /// How many bytes are there of what is at an address, and what to ask for the rest with; nil to begin anew.
    func resumption(of url: URL) -> (offset: Int, validator: String)? {
        guard let (file, source) = noted(), source == Source(url, validator: source.validator), file.size > 0 else {
            return nil
        }
        return (file.size, source.validator)
    }

    /// Begins anew.
    ///
    /// What the source names can be gone on with; without one the file cannot.
    func begin(_ source: Source?) throws -> FileHandle {
        discard()
        let file = try OwnFile.create(content)
        // Last, so that a note never speaks of another file.
        if let source {
            let data = try JSONEncoder().encode(Note(source: source, file: file.number))
            try OwnFile.create(note).handle.write(contentsOf: data)
        }
        return file.handle
    }

    /// Goes on at the end of what is there; nil if that is not so many bytes, or not what the note speaks of, any more.
    func append(at offset: Int) -> FileHandle? { noted().flatMap { $0.file.size == offset ? $0.file.handle : nil } }

    private func noted() -> (file: OwnFile, source: Source)? {
        guard let written = try? OwnFile.read(note), written.size < 64 << 10,
            let data = try? written.handle.readToEnd(), let note = try? JSONDecoder().decode(Note.self, from: data),
            let file = try? OwnFile.append(content), file.number == note.file
        else { return nil }
        return (file, note.source)
    }

    /// Whether a further attempt may go on with it.
    var isResumable: Bool { noted() != nil }

    /// Puts the file where it belongs, in place of what is there.
    func complete() throws {
        unlink(note.path)
        guard rename(content.path, destination.path) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: destination.path])
        }
    }

    /// Leaves nothing.
    func discard() {
        // In this order: without its note, a file is gone on with by nobody.
        unlink(note.path)
        unlink(content.path)
    }
}
