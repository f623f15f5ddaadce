import SimpleNetworkingSupport

/// Reads and replaces a file that only its user can read.
struct PrivateFile: Sendable {
    let path: String

    /// A token response is at most 1 MiB, and its JSON encoding may be six times as large.
    static let maxSize = 8 << 20

    /// Returns the content, or nil if there is no file.
    func read() throws -> Data? {
        // Nonblocking, in case it is a pipe; not following links, because a link may be another user's.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw CredentialStoreError.notAFile(path: path)
            default: throw failure("open")
            }
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("fstat") }
        try check(status)
        guard status.st_size <= Self.maxSize else { throw CredentialStoreError.corrupt(path: path) }
        return try content(of: descriptor)
    }

    /// Replaces the file atomically; it keeps its mode, which is initially 0600.
    func replace(with data: Data) throws {
        let mode = try mode() ?? 0o600
        try makeFolder()
        // Recent files may still be in use.
        removeLeftovers(olderThan: 600)
        let temporary = folder + "/" + temporaryPrefix + UUID().uuidString
        do {
            try write(data, to: temporary, mode: mode)
            guard rename(temporary, path) == 0 else { throw failure("rename") }
        } catch {
            unlink(temporary)
            throw error
        }
        try syncFolder()
    }

    /// Deletes the file and the remains of unfinished writes.
    func remove() throws {
        removeLeftovers(olderThan: 0)
        guard try mode(ofAny: true) != nil else { return }
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("unlink") }
        try syncFolder()
    }

    /// Appends a suffix to the file's name.
    func setAside(_ suffix: String) throws {
        guard rename(path, path + suffix) == 0 else { throw failure("rename") }
    }

    /// Creates the missing folders.
    func makeFolder() throws { try makeFolder(folder) }

    private func makeFolder(_ folder: String) throws {
        if mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
        let parent = Self.parent(of: folder)
        guard errno == ENOENT, parent != folder else { throw failure("mkdir") }
        try makeFolder(parent)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure("mkdir") }
    }

    /// Returns the mode of the file, or nil if there is no file; with `ofAny`, an exposed file is accepted.
    private func mode(ofAny isAnyFit: Bool = false) throws -> mode_t? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw failure("lstat")
        }
        try check(status, ofAny: isAnyFit)
        return status.st_mode & 0o700
    }

    private func check(_ status: stat, ofAny isAnyFit: Bool = false) throws {
        guard status.st_mode & S_IFMT == S_IFREG else { throw CredentialStoreError.notAFile(path: path) }
        guard status.st_uid == geteuid() else { throw CredentialStoreError.foreign(path: path) }
        guard status.st_mode & 0o077 == 0 || isAnyFit else {
            throw CredentialStoreError.exposed(path: path, mode: Int(status.st_mode & 0o777))
        }
    }

    /// Deletes the temporary files of programs that were killed while writing at least this many seconds ago.
    private func removeLeftovers(olderThan seconds: time_t) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(temporaryPrefix) {
            var status = stat()
            let file = folder + "/" + name
            guard lstat(file, &status) == 0, time(nil) - status.modificationSeconds >= seconds else { continue }
            unlink(file)
        }
    }

    private var temporaryPrefix: String { "." + (path.split(separator: "/").last ?? "") + ".new-" }

    var folder: String { Self.parent(of: path) }

    private static func parent(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }
}

extension PrivateFile {
    func content(of descriptor: Int32) throws -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while data.count <= Self.maxSize {
            let count = buffer.withUnsafeMutableBytes { readBytes(descriptor, $0) }
            if count == 0 { return data }
            if count > 0 { data += buffer[..<count] } else if errno != EINTR { throw failure("read") }
        }
        throw CredentialStoreError.corrupt(path: path)
    }

    /// Creates a file that no other user can open, not even before its mode is set.
    func create(_ temporary: String) throws -> Int32 {
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open") }
        return descriptor
    }

    func write(_ data: Data, to temporary: String, mode: mode_t) throws {
        let descriptor = try create(temporary)
        defer { close(descriptor) }
        guard fchmod(descriptor, mode) == 0 else { throw failure("fchmod") }
        var rest = Array(data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { writeBytes(descriptor, $0) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { throw failure("write") }
        }
        try sync(descriptor)
    }

    /// Flushes the folder, because a new file name reaches the disk only with its folder.
    func syncFolder() throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open") }
        defer { close(descriptor) }
        try sync(descriptor)
    }

    private func sync(_ descriptor: Int32) throws {
        #if canImport(Darwin)
            // On Darwin, `fsync` leaves the bytes in the drive's cache.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        // Some file systems don't support it and return EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure("fsync") }
    }

    func failure(_ call: String) -> CredentialStoreError { .system(call: call, path: path, errno: errno) }
}

// Outside the type, whose own methods have the same names.
private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

extension stat {
    fileprivate var modificationSeconds: time_t {
        #if canImport(Darwin)
            st_mtimespec.tv_sec
        #else
            st_mtim.tv_sec
        #endif
    }
}
