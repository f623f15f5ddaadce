/// A file that is removed when nothing refers to it any more.
///
/// It is written by one owner first, then only read.
final class TemporaryFile: Sendable {
    let url: URL
    private let handle: FileHandle

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("SimpleNetworking-\(UUID().uuidString)")
        let made = FileManager.default.createFile(
            atPath: url.path,
            contents: nil,
            attributes: [.posixPermissions: 0o600]
        )
        guard made else { throw CocoaError(.fileWriteUnknown) }
        handle = try FileHandle(forWritingTo: url)
    }

    deinit {
        try? handle.close()
        try? FileManager.default.removeItem(at: url)
    }

    func append(_ data: Data) throws { try handle.write(contentsOf: data) }

    /// Bytes written so far.
    var length: Int? { (try? handle.offset()).map { Int($0) } }
}
