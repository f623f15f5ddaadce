import SimpleNetworkingSupport

#if os(Windows)
    import WinSDK

    extension SystemFiles {
        /// Opens a file without following a link; who can read a new one is decided by its folder, private or not.
        package static func open(_ path: String, for access: Access, isPrivate: Bool = false) throws(Failure) -> Opened
        {
            let rights = access == .read ? DWORD(GENERIC_READ) : DWORD(GENERIC_WRITE)
            let disposition = access == .create ? CREATE_NEW : OPEN_EXISTING
            let file = try handle(of: path, rights, disposition, FILE_FLAG_OPEN_REPARSE_POINT)
            let descriptor = _open_osfhandle(Int(bitPattern: file), 0)
            guard descriptor >= 0 else {
                CloseHandle(file)
                throw Failure(reason: "Windows has no descriptor left")
            }
            let status = Result { () throws(Failure) in try Status(file) }
            let opened = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            if access == .append { _ = try? opened.seekToEnd() }
            return Opened(handle: opened, status: try status.get())
        }

        /// Follows links.
        package static func status(of path: String) throws(Failure) -> Status {
            // Folders can be opened only with this flag.
            let file = try handle(of: path, DWORD(FILE_READ_ATTRIBUTES), OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS)
            defer { CloseHandle(file) }
            return try Status(file)
        }

        /// Renames a file, and replaces any file of the new name; returns whether it could.
        package static func move(_ path: String, to target: String) -> Bool {
            path.withCString(encodedAs: UTF16.self) { path in
                target.withCString(encodedAs: UTF16.self) { MoveFileExW(path, $0, DWORD(MOVEFILE_REPLACE_EXISTING)) }
            }
        }

        /// Deletes a file, if there is one.
        package static func remove(_ path: String) { _ = path.withCString(encodedAs: UTF16.self) { DeleteFileW($0) } }

        /// Sets the time of the last change to now.
        package static func touch(_ path: String) {
            try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
        }

        /// Returns whether it is a folder; who can read it, the folder around it decides.
        package static func makePrivate(folder path: String) -> Bool {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        }

        /// The path with its links resolved; nil if there is nothing.
        package static func resolvedPath(of path: String) -> String? {
            guard (try? status(of: path)) != nil else { return nil }
            return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        }

        private static func handle(
            of path: String,
            _ rights: DWORD,
            _ disposition: Int32,
            _ flag: Int32
        ) throws(Failure) -> HANDLE {
            // A file can be renamed and deleted while it is open, as on other systems.
            let sharing = DWORD(FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
            let file = path.withCString(encodedAs: UTF16.self) {
                CreateFileW($0, rights, sharing, nil, DWORD(disposition), DWORD(flag), nil)
            }
            guard let file, file != INVALID_HANDLE_VALUE else { throw failure }
            return file
        }

        fileprivate static var failure: Failure { Failure(reason: "Windows error \(GetLastError())") }
    }

    extension SystemFiles.Status {
        fileprivate init(_ file: HANDLE) throws(SystemFiles.Failure) {
            var status = BY_HANDLE_FILE_INFORMATION()
            guard GetFileInformationByHandle(file, &status) else { throw SystemFiles.failure }
            // In units of 100 ns since 1601, 11,644,473,600 s before 1970.
            let time = status.ftLastWriteTime
            let ticks = UInt64(time.dwHighDateTime) << 32 | UInt64(time.dwLowDateTime)
            let noFile = DWORD(FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT | FILE_ATTRIBUTE_DEVICE)
            number = UInt64(status.nFileIndexHigh) << 32 | UInt64(status.nFileIndexLow)
            size = Int(clamping: UInt64(status.nFileSizeHigh) << 32 | UInt64(status.nFileSizeLow))
            changed = TimeInterval(ticks) / 1e7 - 11_644_473_600
            isFile = status.dwFileAttributes & noFile == 0
            isOwn = status.nNumberOfLinks == 1
        }
    }
#endif
