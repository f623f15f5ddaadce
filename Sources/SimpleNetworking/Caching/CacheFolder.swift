/// The folder of a cache: one file per stored response, readable by its owner only.
///
/// A file gets its name once it is complete. A checksum reveals what the system has not written when the machine
/// stopped, so that nothing waits for the disk.
struct CacheFolder: Sendable {
    let url: URL
    private static let unfinished = "unfinished-"

    /// Creates the folder; nil if it can't be used: it is no folder, or belongs to another user.
    init?(_ url: URL) {
        self.url = url
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true, attributes: mode)
        var status = stat()
        guard stat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            chmod(url.path, 0o700) == 0
        else { return nil }
    }

    /// The stored responses and their sizes, least recently used first; removes unfinished files of earlier runs.
    func entries() -> [(entry: CacheKey.Entry, size: Int)] {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        let files = try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: Array(keys))
        var found: [(entry: CacheKey.Entry, size: Int, used: Date)] = []
        for file in files ?? [] {
            guard let values = try? file.resourceValues(forKeys: keys) else { continue }
            let used = values.contentModificationDate ?? .distantPast
            if let entry = CacheKey.Entry(fileName: file.lastPathComponent) {
                found.append((entry, values.fileSize ?? 0, used))
            } else if file.lastPathComponent.hasPrefix(Self.unfinished), used.timeIntervalSinceNow < -600 {
                // Another process may still be writing younger ones.
                unlink(file.path)
            }
        }
        return found.sorted { $0.used < $1.used }.map { ($0.entry, $0.size) }
    }

    /// Reads a response, and removes a damaged file.
    func read(_ entry: CacheKey.Entry) -> StoredResponse? {
        let path = path(of: entry)
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
        guard let response = StoredResponse(entry, fileContent: bytes) else {
            unlink(path)
            return nil
        }
        // The modification date is the time of the last use.
        utimes(path, nil)
        return response
    }

    /// Writes a response; if that fails, its predecessor is removed too, since it is outdated.
    func write(_ response: StoredResponse) {
        do { try write(response.fileContent(), to: path(of: response.entry)) } catch { remove(response.entry) }
    }

    func remove(_ entry: CacheKey.Entry) { unlink(path(of: entry)) }

    /// Random bytes of this folder, made once, so that digests differ from folder to folder.
    func salt() -> [UInt8] {
        let path = url.appendingPathComponent("salt").path
        if let salt = try? Data(contentsOf: URL(fileURLWithPath: path)), salt.count == 32 { return Array(salt) }
        let salt = Self.randomSalt()
        try? write(Data(salt), to: path)
        return salt
    }

    static func randomSalt() -> [UInt8] { (0..<32).map { _ in .random(in: 0...255) } }

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

    private func path(of entry: CacheKey.Entry) -> String { url.appendingPathComponent(entry.fileName).path }
}

extension CacheKey.Entry {
    fileprivate var fileName: String { digests.map(\.text).joined(separator: "-") + ".response" }

    fileprivate init?(fileName: String) {
        let digests = fileName.split(separator: "-").compactMap { Digest($0.prefix(32)) }
        guard digests.count == 3 else { return nil }
        self.init(url: digests[0], partition: digests[1], variant: digests[2])
        guard self.fileName == fileName else { return nil }
    }

    /// Starts with the entry's name, so that a renamed file is invalid.
    fileprivate func checksum(of bytes: Data) -> UInt64 {
        let name = digests.flatMap { [$0.high, $0.low] }.withUnsafeBytes { Checksum.of($0) }
        return bytes.withUnsafeBytes { Checksum.of($0, after: name) }
    }
}

// MARK: - The content of a file

/// A checksum and the head's length, of 8 bytes each, the head as JSON, and the body.
extension StoredResponse {
    private struct Head: Codable {
        let status: Int
        /// Names and values by turns.
        let fields: [String]
        let requestTime: Date
        let responseTime: Date
    }

    func fileContent() throws -> Data {
        let fields = headers.flatMap { [$0.name, $0.value] }
        let head = Head(status: status, fields: fields, requestTime: requestTime, responseTime: responseTime)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let encoded = try encoder.encode(head)
        let content = UInt64(encoded.count).bytes + encoded + body
        return entry.checksum(of: content).bytes + content
    }

    /// Reads the content of this entry's file; nil if it is anything else, or incomplete.
    init?(_ entry: CacheKey.Entry, fileContent bytes: Data) {
        let content = bytes.dropFirst(8)
        let rest = content.dropFirst(8)
        guard let length = content.word, bytes.word == entry.checksum(of: content), length <= rest.count,
            let head = try? JSONDecoder().decode(Head.self, from: rest.prefix(Int(length)))
        else { return nil }
        let fields = stride(from: 0, to: head.fields.count - 1, by: 2).map {
            HTTPHeaders.Field(head.fields[$0], head.fields[$0 + 1])
        }
        self.init(
            entry: entry,
            status: head.status,
            headers: HTTPHeaders(fields: fields),
            body: Data(rest.dropFirst(Int(length))),
            requestTime: head.requestTime,
            responseTime: head.responseTime
        )
    }
}

extension UInt64 {
    fileprivate var bytes: Data { withUnsafeBytes(of: littleEndian) { Data($0) } }
}

extension Data {
    /// The number in the first 8 bytes; nil if there are fewer.
    fileprivate var word: UInt64? {
        withUnsafeBytes { $0.count < 8 ? nil : UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    }
}
