/// The folder of a cache: one file per stored answer, readable by its owner only.
///
/// A file gets its name when it is complete. What the system has not written when the machine stops is found out by its
/// checksum, so nothing waits for the disk.
struct CacheFolder: Sendable {
    private static let ending = ".response"

    let url: URL

    /// Makes the folder, or says by nil that it cannot be used: it is no folder, or somebody else's.
    init?(_ url: URL) {
        self.url = url
        let manager = FileManager.default
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try? manager.createDirectory(at: url, withIntermediateDirectories: true, attributes: mode)
        var status = stat()
        guard stat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            chmod(url.path, 0o700) == 0
        else { return nil }
    }

    /// The stored answers and their sizes, the one used longest ago first; half-written files of earlier runs are removed.
    func entries() -> [(entry: CacheKey.Entry, size: Int)] {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        let files =
            (try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: Array(keys))) ?? []
        var found: [(entry: CacheKey.Entry, size: Int, used: Date)] = []
        for file in files {
            let name = file.lastPathComponent
            guard let values = try? file.resourceValues(forKeys: keys) else { continue }
            let used = values.contentModificationDate ?? .distantPast
            if let entry = Self.entry(named: name) {
                found.append((entry, values.fileSize ?? 0, used))
            } else if name.hasPrefix(Self.unfinished), used.timeIntervalSinceNow < -600 {
                // Another process may be writing the younger ones.
                unlink(file.path)
            }
        }
        return found.sorted { $0.used < $1.used }.map { ($0.entry, $0.size) }
    }

    /// Reads an answer, and removes a file that is not what it was.
    func read(_ entry: CacheKey.Entry) -> StoredResponse? {
        guard let bytes = try? Data(contentsOf: file(of: entry)) else { return nil }
        guard let response = CacheFile.response(in: bytes, for: entry) else {
            remove(entry)
            return nil
        }
        // The time of the last use.
        utimes(file(of: entry).path, nil)
        return response
    }

    /// Writes an answer; where that fails, nothing is left of the one before either, which is out of date.
    func write(_ response: StoredResponse) {
        let place = file(of: response.entry)
        do {
            try write(CacheFile.bytes(of: response), to: place.path)
        } catch {
            remove(response.entry)
        }
    }

    func remove(_ entry: CacheKey.Entry) { unlink(file(of: entry).path) }

    /// Gives bytes of the folder's own, which make its digests unlike those of any other; made at the first use.
    func salt() -> [UInt8] {
        let place = url.appendingPathComponent("salt")
        if let salt = try? Data(contentsOf: place), salt.count == 32 { return Array(salt) }
        let salt = Self.randomSalt()
        try? write(Data(salt), to: place.path)
        return salt
    }

    static func randomSalt() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    private static let unfinished = "unfinished-"

    private func write(_ bytes: Data, to path: String) throws {
        let temporary = url.appendingPathComponent(Self.unfinished + UUID().uuidString).path
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: bytes)
            try handle.close()
            guard rename(temporary, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private func file(of entry: CacheKey.Entry) -> URL {
        let name = [entry.address, entry.partition, entry.variant].map(\.text).joined(separator: "-")
        return url.appendingPathComponent(name + Self.ending)
    }

    private static func entry(named name: String) -> CacheKey.Entry? {
        guard name.hasSuffix(ending) else { return nil }
        let digests = name.dropLast(ending.count).split(separator: "-", omittingEmptySubsequences: false).map {
            Digest($0)
        }
        guard digests.count == 3, let address = digests[0], let partition = digests[1], let variant = digests[2] else {
            return nil
        }
        return CacheKey.Entry(address: address, partition: partition, variant: variant)
    }
}
