/// The part of a file downloaded so far, beside its destination, and the data needed to resume.
///
/// `report.pdf` is downloaded as `report.pdf.partial`; its sidecar file `report.pdf.partial.json` identifies the
/// complete content. Both are removed when the download completes. Files that were replaced or created by other
/// programs are not resumed.
struct PartialFile: Sendable {
    /// Identifies the complete content.
    struct Source: Codable, Equatable {
        /// A digest of the URL, because URLs may contain secrets.
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
    struct Beginning: Sendable {
        let offset: Int
        let validator: String
    }

    /// Returns how much of a URL's content exists, or nil to start over.
    func resumption(of url: URL) -> Beginning? {
        guard let (file, source) = opened(), source == Source(url, validator: source.validator), file.size > 0 else {
            return nil
        }
        return Beginning(offset: file.size, validator: source.validator)
    }

    /// Starts over.
    ///
    /// Without a source, the file can't be resumed.
    func begin(_ source: Source?) throws -> OwnedFile {
        discard()
        let file = try OwnedFile.create(content)
        // Written last, so that the sidecar never describes another file.
        if let source {
            let data = try JSONEncoder().encode(Sidecar(source: source, file: file.number))
            try OwnedFile.create(sidecar).handle.write(contentsOf: data)
        }
        return file
    }

    /// Opens the file at its end, or returns nil if the file has changed in the meantime.
    func append(at offset: Int) -> OwnedFile? { opened().flatMap { $0.file.size == offset ? $0.file : nil } }

    var isResumable: Bool { opened() != nil }

    private func opened() -> (file: OwnedFile, source: Source)? {
        guard let written = try? OwnedFile.read(sidecar), written.size < 64 << 10,
            let data = try? written.handle.readToEnd(),
            let sidecar = try? JSONDecoder().decode(Sidecar.self, from: data),
            let file = try? OwnedFile.append(content), file.number == sidecar.file
        else { return nil }
        return (file, sidecar.source)
    }

    /// Moves the file to its destination, replacing any existing file, if it is still the file that was written.
    func complete(_ number: UInt64) throws {
        guard try OwnedFile.read(content).number == number else {
            throw OwnedFile.Failure(path: content.path, reason: "another file has taken its place")
        }
        SystemFiles.remove(sidecar.path)
        guard SystemFiles.move(content.path, to: destination.path) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: destination.path])
        }
    }

    func discard() {
        // In this order, because a partial file isn't resumed without its sidecar.
        SystemFiles.remove(sidecar.path)
        SystemFiles.remove(content.path)
    }
}
