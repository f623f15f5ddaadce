/// Stores the URL of a file's upload on disk, so that a later run of the program can resume the upload.
struct UploadRecord: Sendable {
    private struct Contents: Codable {
        let version: Int
        /// A digest, because the URL may contain secrets.
        let target: String
        let url: URL
        let file: UploadContent.FileVersion
    }

    let file: URL

    /// Rejects an upload that a later run of the program couldn't resume.
    func check(_ body: RequestBody, of head: RequestHead) throws(SimpleNetworkingError) {
        guard case .file = body else {
            throw .invalidRequest(reason: "only the upload of a file resumes in a later run of the program", head)
        }
        let folder = file.deletingLastPathComponent()
        let isFolder = (try? folder.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
        guard file.isFileURL, isFolder else {
            throw .invalidRequest(reason: "the folder of \(file.lastPathComponent) does not exist", head)
        }
    }

    /// Returns the stored URL of an upload of this content to this target; nil if there is none.
    func url(ofUploadTo target: URL, _ draft: UploadDraft, _ content: UploadContent) -> URL? {
        guard let written = try? OwnedFile.read(file), written.size < 64 << 10,
            let data = try? written.handle.readToEnd(),
            let contents = try? JSONDecoder().decode(Contents.self, from: data),
            contents.version == draft.version, contents.target == Self.digest(of: target),
            contents.file == content.fileVersion
        else { return nil }
        return contents.url
    }

    /// Stores an upload, in place of an earlier one.
    ///
    /// If the record can't be written, the upload only doesn't outlive the program.
    func write(_ upload: ResumableUpload, of content: UploadContent) {
        guard let version = content.fileVersion else { return }
        let contents = Contents(
            version: upload.draft.version,
            target: Self.digest(of: upload.target),
            url: upload.url,
            file: version
        )
        remove()
        guard let data = try? JSONEncoder().encode(contents), let created = try? OwnedFile.create(file) else { return }
        // Whoever knows the URL may be able to add to the upload.
        guard fchmod(created.handle.fileDescriptor, 0o600) == 0 else { return remove() }
        try? created.handle.write(contentsOf: data)
    }

    func remove() { unlink(file.path) }

    private static func digest(of url: URL) -> String { Digest([url.absoluteString], salt: []).text }
}
