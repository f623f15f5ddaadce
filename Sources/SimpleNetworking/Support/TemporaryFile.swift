/// A file of the user's own that is removed when nothing refers to it any more.
final class TemporaryFile: Sendable {
    let url: URL
    /// Its size in bytes.
    let length: Int

    /// Makes the file and lets `body` write it, chunk by chunk.
    init(writing body: ((Data) throws -> Void) throws -> Void) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("SimpleNetworking-\(UUID().uuidString)")
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: url.path, contents: nil, attributes: attributes) else {
            throw CocoaError(.fileWriteUnknown)
        }
        var length = 0
        do {
            let handle = try FileHandle(forWritingTo: url)
            defer { try? handle.close() }
            try body { chunk in
                try handle.write(contentsOf: chunk)
                length += chunk.count
            }
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error
        }
        self.length = length
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
