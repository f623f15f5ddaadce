/// The beginning of a file that comes from a URL, beside its destination, and what is needed to go on with it.
///
/// `report.pdf` grows as `report.pdf.partial`; its sidecar file `report.pdf.partial.json` says what it is the beginning
/// of. Both are removed when the file is complete. Files that were replaced, or made by something else, are not resumed.
package struct PartialFile: Sendable {
    /// Where the bytes come from, and what tells whether they are still the same there.
    package struct Source: Codable, Equatable {
        /// A digest: URLs may contain secrets.
        let url: String
        let validator: String

        package init(_ url: URL, validator: String) {
            self.url = Digest([url.absoluteString], salt: []).text
            self.validator = validator
        }
    }

    private struct Sidecar: Codable {
        let source: Source
        /// The file number of the partial file.
        let file: UInt64
    }

    private let destination: URL
    private var content: URL { destination.appendingPathExtension("partial") }
    private var sidecar: URL { content.appendingPathExtension("json") }

    package init(destination: URL) { self.destination = destination }

    /// The length so far, and the validator for requesting the rest.
    package struct Beginning {
        package let offset: Int
        package let validator: String
    }

    /// How much there is of what is at a URL; nil to start over.
    package func resumption(of url: URL) -> Beginning? {
        guard let (file, source) = opened(), source == Source(url, validator: source.validator), file.size > 0 else {
            return nil
        }
        return Beginning(offset: file.size, validator: source.validator)
    }

    /// Starts over; without a source, the file can't be resumed.
    package func begin(_ source: Source?) throws -> PrivateFile {
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
    package func append(at offset: Int) -> PrivateFile? { opened().flatMap { $0.file.size == offset ? $0.file : nil } }

    package var isResumable: Bool { opened() != nil }

    private func opened() -> (file: PrivateFile, source: Source)? {
        guard let written = try? PrivateFile.read(sidecar), written.size < 64 << 10,
            let data = try? written.handle.readToEnd(),
            let sidecar = try? JSONDecoder().decode(Sidecar.self, from: data),
            let file = try? PrivateFile.append(content), file.number == sidecar.file
        else { return nil }
        return (file, sidecar.source)
    }

    /// Moves the file to its destination, replacing what is there, if it still is the one that was written.
    package func complete(_ number: UInt64) throws {
        guard try PrivateFile.read(content).number == number else {
            throw PrivateFile.Failure(path: content.path, reason: "another file has taken its place")
        }
        unlink(sidecar.path)
        guard rename(content.path, destination.path) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: destination.path])
        }
    }

    package func discard() {
        // In this order: without its sidecar, a partial file isn't resumed.
        unlink(sidecar.path)
        unlink(content.path)
    }
}
