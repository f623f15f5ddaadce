import SimpleNetworkingFeatureSupport

/// A folder of files that only this user can read, ordered by their last use.
///
/// A file gets its name once it is complete.
struct PrivateFolder: Sendable {
    private let url: URL
    private static let unfinished = "unfinished-"

    /// Creates the folder; nil if it can't be used, because it is not a folder or belongs to another user.
    init?(_ url: URL) {
        self.url = url
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true, attributes: mode)
        guard SystemFiles.makePrivate(folder: url.path) else { return nil }
    }

    /// Returns the files and their sizes, least recently used first; removes unfinished files of earlier runs.
    func files() -> [(name: String, size: Int)] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: url.path)
        var found: [(name: String, size: Int, used: Date)] = []
        for name in names ?? [] {
            guard let status = try? SystemFiles.status(of: path(of: name)) else { continue }
            let used = Date(timeIntervalSince1970: status.changed)
            if !name.hasPrefix(Self.unfinished) {
                found.append((name, status.size, used))
            } else if used.timeIntervalSinceNow < -600 {
                // Another process may still be writing more recent files.
                remove(name)
            }
        }
        return found.sorted { $0.used < $1.used }.map { ($0.name, $0.size) }
    }

    func read(_ name: String) -> Data? { try? Data(contentsOf: url.appendingPathComponent(name)) }

    /// Marks a file as used.
    func use(_ name: String) { SystemFiles.touch(path(of: name)) }

    func write(_ bytes: Data, to name: String) throws {
        let temporary = path(of: Self.unfinished + UUID().uuidString)
        let handle = try SystemFiles.open(temporary, for: .create, isPrivate: true).handle
        do {
            try handle.write(contentsOf: bytes)
            try handle.close()
            guard SystemFiles.move(temporary, to: path(of: name)) else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            SystemFiles.remove(temporary)
            throw error
        }
    }

    func remove(_ name: String) { SystemFiles.remove(path(of: name)) }

    private func path(of name: String) -> String { url.appendingPathComponent(name).path }
}
