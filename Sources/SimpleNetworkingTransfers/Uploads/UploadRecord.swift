import SimpleNetworkingFeatureSupport

/// Stores the URL of a file's upload on disk, so that a later run of the program can resume the upload.
struct UploadRecord: Sendable {
    private struct Contents: Codable {
        let version: Int
        /// A digest, because the URL may contain secrets.
        let target: String
        let url: String
        let file: UploadContent.FileVersion
    }

    let file: URL

    /// Rejects an upload that a later run of the program couldn't resume, and a file that isn't a record.
    func check(_ body: RequestBody, of head: RequestHead) throws(SimpleNetworkingError) {
        func mistake(_ reason: String) -> SimpleNetworkingError { .invalidRequest(reason: reason, head) }
        guard case .file = body else { throw mistake("only the upload of a file resumes in a later run") }
        let folder = file.deletingLastPathComponent()
        guard file.isFileURL, FileManager.default.fileExists(atPath: folder.path) else {
            throw mistake("the folder of \(file.lastPathComponent) does not exist")
        }
        // An empty file may be a record that couldn't be written.
        let status = try? SystemFiles.status(of: file.path)
        if let status, !status.isFile || status.size > 0, stored == nil {
            throw mistake("\(file.lastPathComponent) is not the record of an upload")
        }
    }

    /// Returns the stored URL of an upload of this content to this target, or nil if there is none.
    func url(ofUploadTo target: URL, _ draft: UploadDraft, _ content: UploadContent) -> String? {
        guard let stored, stored.version == draft.version, stored.target == Self.digest(of: target),
            stored.file == content.fileVersion
        else { return nil }
        return stored.url
    }

    /// Stores an upload, replacing an earlier one.
    ///
    /// If the client can't write the record, no later run resumes the upload.
    func write(_ upload: OfferedUpload, of content: UploadContent) {
        guard let version = content.fileVersion else { return }
        let contents = Contents(
            version: upload.draft.version,
            target: Self.digest(of: upload.target),
            url: upload.written.text,
            file: version
        )
        // A record is complete once it has its name.
        let unfinished = file.appendingPathExtension("unfinished")
        SystemFiles.remove(unfinished.path)
        do {
            let data = try JSONEncoder().encode(contents)
            // Private, because another user who knows the URL may be able to add to the upload.
            try OwnedFile.create(unfinished, isPrivate: true).handle.write(contentsOf: data)
            guard SystemFiles.move(unfinished.path, to: file.path) else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            SystemFiles.remove(unfinished.path)
        }
    }

    /// Removes the record of an upload, unless another upload has replaced it.
    func remove(_ upload: OfferedUpload) {
        guard stored?.url == upload.written.text else { return }
        SystemFiles.remove(file.path)
    }

    private var stored: Contents? {
        guard let record = try? OwnedFile.read(file), record.size < 64 << 10,
            let data = try? record.handle.readToEnd()
        else { return nil }
        return try? JSONDecoder().decode(Contents.self, from: data)
    }

    private static func digest(of url: URL) -> String { Digest([url.absoluteString], salt: []).text }
}
