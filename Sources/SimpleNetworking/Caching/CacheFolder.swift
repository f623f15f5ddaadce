/// The folder of a cache: one file per stored response, readable by its owner only.
///
/// A file gets its name once it is complete. A checksum reveals what the system has not written when the machine
/// stopped, so that nothing waits for the disk.
struct CacheFolder: Sendable {
    let url: URL
    private static let suffix = ".response"
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
        let files =
            (try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: Array(keys))) ?? []
        var found: [(entry: CacheKey.Entry, size: Int, used: Date)] = []
        for file in files {
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
        do {
            try write(response.fileContent(), to: path(of: response.entry))
        } catch {
            remove(response.entry)
        }
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

    private func path(of entry: CacheKey.Entry) -> String {
        url.appendingPathComponent(entry.digests.map(\.text).joined(separator: "-") + Self.suffix).path
    }
}

extension CacheKey.Entry {
    fileprivate init?(fileName: String) {
        guard fileName.hasSuffix(".response") else { return nil }
        let digests = fileName.dropLast(9).split(separator: "-", omittingEmptySubsequences: false).map { Digest($0) }
        guard digests.count == 3, let url = digests[0], let partition = digests[1], let variant = digests[2] else {
            return nil
        }
        self.init(url: url, partition: partition, variant: variant)
    }
}

// MARK: - The content of a file

/// A mark, two lengths and a checksum of 8 bytes each, the head as JSON, the body.
extension StoredResponse {
    private struct Head: Codable {
        let status: Int
        /// Names and values by turns.
        let fields: [String]
        let requestTime: TimeInterval
        let responseTime: TimeInterval
    }

    private static let mark = Array("SNCACHE1".utf8)
    private static let headStart = 32

    func fileContent() throws -> Data {
        let head = Head(
            status: status,
            fields: headers.flatMap { [$0.name, $0.value] },
            requestTime: requestTime.timeIntervalSinceReferenceDate,
            responseTime: responseTime.timeIntervalSinceReferenceDate
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let encoded = try encoder.encode(head)
        var bytes = Data(Self.mark)
        for word in [encoded.count, body.count, 0] {
            withUnsafeBytes(of: UInt64(word).littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes += encoded
        bytes += body
        let sum = bytes.withUnsafeBytes { entry.checksum(of: $0, headStart: Self.headStart) }.littleEndian
        withUnsafeBytes(of: sum) { bytes.replaceSubrange(Self.headStart - 8..<Self.headStart, with: $0) }
        return bytes
    }

    /// Reads the content of this entry's file; nil if it is anything else, or incomplete.
    init?(_ entry: CacheKey.Entry, fileContent bytes: Data) {
        guard bytes.count >= Self.headStart, bytes.starts(with: Self.mark) else { return nil }
        let (headLength, bodyLength, isIntact) = bytes.withUnsafeBytes {
            ($0.word(at: 8), $0.word(at: 16), $0.word(at: 24) == entry.checksum(of: $0, headStart: Self.headStart))
        }
        let rest = UInt64(bytes.count - Self.headStart)
        guard isIntact, headLength <= rest, bodyLength == rest - headLength else { return nil }
        let (headBytes, body) = (bytes.dropFirst(Self.headStart).prefix(Int(headLength)), bytes.suffix(Int(bodyLength)))
        guard let head = try? JSONDecoder().decode(Head.self, from: headBytes) else { return nil }
        let fields = stride(from: 0, to: head.fields.count - 1, by: 2).map {
            HTTPHeaders.Field(head.fields[$0], head.fields[$0 + 1])
        }
        self.init(
            entry: entry,
            status: head.status,
            headers: HTTPHeaders(fields: fields),
            body: Data(body),
            requestTime: Date(timeIntervalSinceReferenceDate: head.requestTime),
            responseTime: Date(timeIntervalSinceReferenceDate: head.responseTime)
        )
    }
}

extension CacheKey.Entry {
    /// Starts with the entry's name, so that a renamed file is invalid.
    fileprivate func checksum(of bytes: UnsafeRawBufferPointer, headStart: Int) -> UInt64 {
        let name = digests.flatMap { [$0.high, $0.low] }.withUnsafeBytes { Checksum.of($0) }
        let start = Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<(headStart - 8)]), after: name)
        return Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[headStart...]), after: start)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
