/// An open file that belongs only to this user.
///
/// In a folder that others can write to, a link, a pipe or another user's file may replace it; none of these is
/// opened.
package struct OwnedFile {
    package struct Failure: Error {
        package let path: String
        package let reason: String

        package init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    package let handle: FileHandle
    /// Identifies the file within its file system.
    package let number: UInt64
    package let size: Int

    /// Creates a new file.
    package static func create(_ url: URL) throws -> OwnedFile { try open(url, O_WRONLY | O_CREAT | O_EXCL) }

    package static func read(_ url: URL) throws -> OwnedFile { try open(url, O_RDONLY) }

    package static func append(_ url: URL) throws -> OwnedFile { try open(url, O_WRONLY | O_APPEND) }

    /// Returns the current size, whichever program has written to the file.
    package func currentSize() throws -> Int {
        var status = stat()
        guard fstat(handle.fileDescriptor, &status) == 0 else { throw CocoaError(.fileReadUnknown) }
        return Int(clamping: status.st_size)
    }

    private static func open(_ url: URL, _ flags: Int32) throws -> OwnedFile {
        // Nonblocking, in case it is a pipe.
        let descriptor = openFile(url.path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(path: url.path, reason: String(cString: strerror(errno))) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_nlink == 1
        else { throw Failure(path: url.path, reason: "it is not a file of this user's alone") }
        return OwnedFile(handle: handle, number: UInt64(status.st_ino), size: Int(clamping: status.st_size))
    }
}

extension OwnedFile.Failure: LocalizedError, CustomStringConvertible {
    package var description: String { "\(path) cannot be opened: \(reason)" }
    package var errorDescription: String? { description }
}

// Outside the type, whose own method has the same name.
private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o666) }

/// A file that only this user can read, and that is removed with its last reference.
package final class TemporaryFile: Sendable {
    package let url: URL
    private let state: Locked<(handle: FileHandle?, length: Int)>

    /// Creates an empty file.
    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("SimpleNetworking-\(UUID().uuidString)")
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: url.path, contents: nil, attributes: attributes) else {
            throw CocoaError(.fileWriteUnknown)
        }
        state = Locked((try? FileHandle(forWritingTo: url), 0))
    }

    /// The size of the file in bytes.
    package var length: Int { state.withLock { $0.length } }

    package func append(_ data: Data) throws {
        try state.withLock { state in
            guard let handle = state.handle else { throw CocoaError(.fileWriteUnknown) }
            try handle.write(contentsOf: data)
            state.length = state.length.addingSaturated(data.count)
        }
    }

    /// Finishes writing.
    package func close() throws {
        let handle = state.withLock { state in
            defer { state.handle = nil }
            return state.handle
        }
        try handle?.close()
    }

    deinit {
        try? close()
        try? FileManager.default.removeItem(at: url)
    }
}
