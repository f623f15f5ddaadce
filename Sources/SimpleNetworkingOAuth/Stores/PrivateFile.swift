/// Reads and replaces a file that is nobody else's business.
struct PrivateFile: Sendable {
    let path: String

    static let maxSize = 1 << 20

    /// The content, or nil if there is no file.
    func read() throws -> Data? {
        // Not waiting, in case it is a pipe; not following, since a link may be somebody else's.
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

    /// Puts a whole new file in place of the old one, with the old one's mode, or 0600.
    func replace(with data: Data) throws {
        let mode = try mode() ?? 0o600
        try makeFolder()
        removeLeftovers()
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

    func remove() throws {
        guard try mode(ofAny: true) != nil else { return }
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("unlink") }
        try syncFolder()
    }

    /// Gives the file another name, with a suffix.
    func setAside(_ suffix: String) throws {
        guard rename(path, path + suffix) == 0 else { throw failure("rename") }
    }

    /// Makes the folders that are missing.
    func makeFolder() throws { try makeFolder(folder) }

    private func makeFolder(_ folder: String) throws {
        if mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
        let parent = Self.parent(of: folder)
        guard errno == ENOENT, parent != folder else { throw failure("mkdir") }
        try makeFolder(parent)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure("mkdir") }
    }

    /// The mode of the file, or nil if there is none; a file that is not fit to be used is refused, unless any will do.
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

    /// A program that was killed while it wrote leaves a file behind; one that writes just now is left alone.
    private func removeLeftovers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(temporaryPrefix) {
            var status = stat()
            let file = folder + "/" + name
            guard lstat(file, &status) == 0, time(nil) - status.modificationSeconds > 600 else { continue }
            unlink(file)
        }
    }

    private var temporaryPrefix: String { "." + (path.split(separator: "/").last ?? "") + ".new-" }

    var folder: String { Self.parent(of: path) }

    private static func parent(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }
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
