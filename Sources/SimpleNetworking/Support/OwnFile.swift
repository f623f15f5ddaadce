/// An open file that is this user's alone.
///
/// Where others may write to the folder, a link, a pipe or a file of theirs may stand in its place: such a thing is not
/// opened, and what a symbolic link leads to is not touched.
struct OwnFile {
    struct Failure: Error {
        let path: String
        let reason: String
    }

    let handle: FileHandle
    /// Names the file within its file system, whatever its path.
    let number: UInt64
    let size: Int

    /// Makes a file that was not there before.
    static func create(_ url: URL) throws -> OwnFile { try open(url, O_WRONLY | O_CREAT | O_EXCL) }

    static func read(_ url: URL) throws -> OwnFile { try open(url, O_RDONLY) }

    /// Opens a file whose end is written to.
    static func append(_ url: URL) throws -> OwnFile { try open(url, O_WRONLY | O_APPEND) }

    private static func open(_ url: URL, _ flags: Int32) throws -> OwnFile {
        // Not waiting, in case it is a pipe.
        let descriptor = openFile(url.path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(path: url.path, reason: String(cString: strerror(errno))) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_nlink == 1
        else { throw Failure(path: url.path, reason: "it is not a file of this user's alone") }
        return OwnFile(handle: handle, number: UInt64(status.st_ino), size: Int(status.st_size))
    }
}

extension OwnFile.Failure: LocalizedError, CustomStringConvertible {
    var description: String { "\(path) cannot be opened: \(reason)" }
    var errorDescription: String? { description }
}

// Outside the type, whose own method has this name.
private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o666) }
