/// An open file that belongs to this user alone.
///
/// In a folder that others may write to, its place may be taken by a link, a pipe or another user's file: none of these
/// is opened.
struct PrivateFile {
    struct Failure: Error {
        let path: String
        let reason: String
    }

    let handle: FileHandle
    /// Identifies the file within its file system.
    let number: UInt64
    let size: Int

    /// Makes a new file.
    static func create(_ url: URL) throws -> PrivateFile { try open(url, O_WRONLY | O_CREAT | O_EXCL) }

    static func read(_ url: URL) throws -> PrivateFile { try open(url, O_RDONLY) }

    static func append(_ url: URL) throws -> PrivateFile { try open(url, O_WRONLY | O_APPEND) }

    private static func open(_ url: URL, _ flags: Int32) throws -> PrivateFile {
        // Nonblocking, in case it is a pipe.
        let descriptor = openFile(url.path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(path: url.path, reason: String(cString: strerror(errno))) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_nlink == 1
        else { throw Failure(path: url.path, reason: "it is not a file of this user's alone") }
        return PrivateFile(handle: handle, number: UInt64(status.st_ino), size: Int(status.st_size))
    }
}

extension PrivateFile.Failure: LocalizedError, CustomStringConvertible {
    var description: String { "\(path) cannot be opened: \(reason)" }
    var errorDescription: String? { description }
}

// Outside the type, whose own method has the same name.
private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o666) }

/// A file that only this user can read, and that is removed with the last reference.
final class TemporaryFile: Sendable {
    let url: URL
    /// Its size in bytes.
    let length: Int

    /// Makes the file and lets `body` write it, chunk by chunk.
    init(writing body: ((Data) throws -> Void) throws -> Void) throws {
        url = try Self.create()
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

    /// Makes the file and lets `body` write it, chunk by chunk as they come.
    init(collecting body: ((Data) async throws -> Void) async throws -> Void) async throws {
        url = try Self.create()
        var length = 0
        do {
            let handle = try FileHandle(forWritingTo: url)
            defer { try? handle.close() }
            try await body { chunk in
                try handle.write(contentsOf: chunk)
                length += chunk.count
            }
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error
        }
        self.length = length
    }

    private static func create() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("SimpleNetworking-\(UUID().uuidString)")
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: url.path, contents: nil, attributes: attributes) else {
            throw CocoaError(.fileWriteUnknown)
        }
        return url
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
