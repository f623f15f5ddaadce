import SimpleNetworkingSupport

/// The system's files, by the few calls that this package needs; Windows has others.
package enum SystemFiles {
    package enum Access {
        /// Writes to a new file.
        case create
        case read
        /// Writes at the end.
        case append
    }

    /// Describes a file, or whatever else has its name.
    package struct Status {
        /// Identifies the file within its file system.
        package let number: UInt64
        package let size: Int
        /// When the content was last changed, in seconds since 1970.
        package let changed: TimeInterval
        package let isFile: Bool
        /// Whether it belongs to this user and has no second name; on Windows, only the latter is known.
        let isOwn: Bool
    }

    package struct Opened {
        package let handle: OpenFile
        let status: Status
    }

    package struct Failure: Error {
        package let reason: String
    }
}

#if !os(Windows)
    extension SystemFiles {
        /// Opens a file without following a link; a new one is for this user only if it is private.
        package static func open(_ path: String, for access: Access, isPrivate: Bool = false) throws(Failure) -> Opened
        {
            // Nonblocking, in case it is a pipe.
            let flags = access.flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            let descriptor = openFile(path, flags, isPrivate ? 0o600 : 0o666)
            guard descriptor >= 0 else { throw failure }
            let handle = OpenFile(fileDescriptor: descriptor)
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw failure }
            return Opened(handle: handle, status: Status(status))
        }

        /// Follows links.
        package static func status(of path: String) throws(Failure) -> Status {
            var status = stat()
            guard stat(path, &status) == 0 else { throw failure }
            return Status(status)
        }

        /// Renames a file, and replaces any file of the new name; returns whether it could.
        package static func move(_ path: String, to target: String) -> Bool { rename(path, target) == 0 }

        /// Deletes a file, if there is one.
        package static func remove(_ path: String) { unlink(path) }

        /// Sets the time of the last change to now.
        package static func touch(_ path: String) { utimes(path, nil) }

        /// Lets no other user in; returns false if it is not a folder of this user.
        package static func makePrivate(folder path: String) -> Bool {
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
                && chmod(path, 0o700) == 0
        }

        /// The path with its links resolved; nil if there is nothing.
        package static func resolvedPath(of path: String) -> String? {
            guard let resolved = realpath(path, nil) else { return nil }
            defer { free(resolved) }
            return String(cString: resolved)
        }

        private static var failure: Failure { Failure(reason: String(cString: strerror(errno))) }
    }

    extension SystemFiles.Access {
        fileprivate var flags: Int32 {
            switch self {
            case .create: O_WRONLY | O_CREAT | O_EXCL
            case .read: O_RDONLY
            case .append: O_WRONLY | O_APPEND
            }
        }
    }

    extension SystemFiles.Status {
        fileprivate init(_ status: stat) {
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            number = UInt64(status.st_ino)
            size = Int(clamping: status.st_size)
            changed = TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
            isFile = status.st_mode & S_IFMT == S_IFREG
            isOwn = status.st_uid == geteuid() && status.st_nlink == 1
        }
    }

    // Outside the type, whose own function has the same name.
    private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
#endif
