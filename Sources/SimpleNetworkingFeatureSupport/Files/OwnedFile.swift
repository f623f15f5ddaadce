import SimpleNetworkingSupport

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

    package let handle: OpenFile
    /// Identifies the file within its file system.
    package let number: UInt64
    package let size: Int

    /// Creates a new file, which only this user can read if it is private.
    package static func create(_ url: URL, isPrivate: Bool = false) throws -> OwnedFile {
        try open(url, for: .create, isPrivate: isPrivate)
    }

    package static func read(_ url: URL) throws -> OwnedFile { try open(url, for: .read) }

    package static func append(_ url: URL) throws -> OwnedFile { try open(url, for: .append) }

    /// Moves to the end and returns the current size, whichever program has written to the file.
    package func currentSize() throws -> Int { Int(clamping: try handle.seekToEnd()) }

    private static func open(
        _ url: URL,
        for access: SystemFiles.Access,
        isPrivate: Bool = false
    ) throws -> OwnedFile {
        let opened: SystemFiles.Opened
        do {
            opened = try SystemFiles.open(url.path, for: access, isPrivate: isPrivate)
        } catch {
            throw Failure(path: url.path, reason: error.reason)
        }
        guard opened.status.isFile, opened.status.isOwn else {
            throw Failure(path: url.path, reason: "it is not a file of this user's alone")
        }
        return OwnedFile(handle: opened.handle, number: opened.status.number, size: opened.status.size)
    }
}

extension OwnedFile.Failure: LocalizedError, CustomStringConvertible {
    package var description: String { "\(path) cannot be opened: \(reason)" }
    package var errorDescription: String? { description }
}
