import SimpleNetworkingFeatureSupport

/// The part of a file downloaded so far, beside its destination, and the data needed to resume.
///
/// `report.pdf` is downloaded as `report.pdf.partial`; its sidecar file `report.pdf.partial.json` identifies the
/// complete content, and is removed when the content is complete. Files that were replaced or created by other programs
/// are not resumed.
struct PartialFile: Sendable {
    /// Identifies the complete content.
    struct Source: Codable, Equatable {
        /// A digest of the URL of the first request, because URLs may contain secrets.
        fileprivate let url: String
        fileprivate let validator: String
        /// A digest of the URL that sent the content, after redirects; nil for a file of an earlier version.
        fileprivate var location: String?
        /// The length in bytes; nil if it is unknown.
        fileprivate var length: Int?
        /// Whose content it is; nil if the validator names one content, and for a file of an earlier version.
        fileprivate var account: AccountDigest?

        fileprivate init(_ url: URL, validator: String, at location: URL, length: Int?, account: AccountDigest?) {
            self.account = account
            self.url = Self.digest(url)
            self.validator = validator
            self.location = Self.digest(location)
            self.length = length
        }

        /// Returns whether the content may be continued with content from a location.
        ///
        /// The URL after redirects may be signed anew each time. A date may also be that of other content there.
        fileprivate func mayContinue(_ url: URL, at location: URL) -> Bool {
            guard self.url == Self.digest(url) else { return false }
            return validator.hasPrefix("\"") || (self.location ?? self.url) == Self.digest(location)
        }

        private static func digest(_ url: URL) -> String { Digest([url.absoluteString], salt: []).text }
    }

    private struct Sidecar: Codable {
        let source: Source
        /// The file number of the partial file.
        let file: UInt64
    }

    let destination: URL
    /// The URL of the first request, if it was redirected.
    let first: URL?
    /// Whether the URL was only read, so that another request continues its content.
    let isOfRead: Bool
    private var content: URL { destination.appendingPathExtension("partial") }
    private var sidecar: URL { content.appendingPathExtension("json") }

    /// The length so far, and what identifies the rest.
    struct Beginning: Sendable {
        let offset: Int
        let validator: String
        /// The length of the complete content in bytes; nil if it is unknown.
        let length: Int?
        /// Whose content it is; nil for anyone's.
        let account: AccountDigest?
        /// Whether the same execution has begun it, whose user doesn't change.
        let isOwn: Bool
    }

    /// Returns how much of the content exists that a location may continue, or nil to start over.
    func resumption(at location: URL, isOwn: (UInt64) -> Bool) -> Beginning? {
        guard isOfRead, let (file, source) = opened(), source.mayContinue(first ?? location, at: location),
            file.size > 0
        else { return nil }
        return Beginning(
            offset: file.size,
            validator: source.validator,
            length: source.length,
            account: source.account,
            isOwn: isOwn(file.number)
        )
    }

    /// Returns the source of content from a location; nil if the content can't be continued.
    func source(at location: URL, validator: String, length: Int?, account: AccountDigest?) -> Source? {
        isOfRead ? Source(first ?? location, validator: validator, at: location, length: length, account: account) : nil
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
            // Private, because it contains a digest of credentials.
            try OwnedFile.create(sidecar, isPrivate: true).handle.write(contentsOf: data)
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

    /// The complete content, which waits until its response is accepted.
    struct Whole: Sendable {
        let file: PartialFile
        fileprivate let number: UInt64
        fileprivate let size: Int

        /// Moves the file to its destination, replacing any existing file, or discards it if that fails.
        func move() throws {
            do {
                try check()
                guard SystemFiles.move(file.content.path, to: file.destination.path) else {
                    throw CocoaError(.fileWriteUnknown, path: file.destination.path)
                }
            } catch {
                file.discard()
                throw error
            }
        }

        /// Rejects a file that isn't the one that was written, or isn't as it was written.
        fileprivate func check() throws {
            let present = try OwnedFile.read(file.content)
            guard present.number == number, present.size == size else {
                throw OwnedFile.Failure(path: file.content.path, reason: "another file has taken its place")
            }
        }
    }

    /// Returns the complete content, which isn't resumed whatever becomes of it, if it is still the file that was
    /// written.
    func seal(_ number: UInt64, size: Int) throws -> Whole {
        let whole = Whole(file: self, number: number, size: size)
        try whole.check()
        SystemFiles.remove(sidecar.path)
        return whole
    }

    /// Returns the complete content if no more follows, and the file has this size.
    func seal(atSize size: Int) throws -> Whole? {
        guard let file = append(at: size) else { return nil }
        try file.handle.close()
        return try seal(file.number, size: size)
    }

    func discard() {
        // In this order, because a partial file isn't resumed without its sidecar.
        SystemFiles.remove(sidecar.path)
        SystemFiles.remove(content.path)
    }
}
