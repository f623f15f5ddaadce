#if os(Windows)
    package typealias OpenFile = FileHandle
#else
    /// An open file, which is closed with its last reference; the methods are those of Foundation's `FileHandle`.
    ///
    /// It isn't meant for several threads at once.
    package final class OpenFile: Sendable {
        private let descriptor: Locked<Int32?>

        /// Takes over a descriptor.
        package init(fileDescriptor: Int32) { descriptor = Locked(fileDescriptor) }

        /// Opens a file for reading; nil if it can't be read.
        package convenience init?(reading path: String) {
            let descriptor = openFile(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            self.init(fileDescriptor: descriptor)
        }

        deinit { try? close() }

        /// Closes the file, if it is open.
        package func close() throws {
            let open = descriptor.withLock { descriptor in
                defer { descriptor = nil }
                return descriptor
            }
            if let open, closeFile(open) != 0 { throw failure(errno, .fileWriteUnknown) }
        }

        /// Writes all the bytes.
        package func write(contentsOf data: some Collection<UInt8>) throws {
            let bytes = Array(data)
            var start = 0
            while start < bytes.count {
                start += try result(.fileWriteUnknown) { open in
                    bytes[start...].withUnsafeBytes { writeFile(open, $0.baseAddress, $0.count) }
                }
            }
        }

        /// Reads at most this number of bytes; nil at the end.
        package func read(upToCount count: Int) throws -> Data? {
            var bytes = [UInt8](repeating: 0, count: count)
            let count = try bytes.withUnsafeMutableBytes { bytes in
                try result(.fileReadUnknown) { readFile($0, bytes.baseAddress, bytes.count) }
            }
            return count == 0 ? nil : Data(bytes[..<count])
        }

        /// Reads the rest; nil if there is none.
        package func readToEnd() throws -> Data? {
            var data = Data()
            while let piece = try read(upToCount: 64 << 10) { data.append(piece) }
            return data.isEmpty ? nil : data
        }

        /// Moves to the end, and returns its distance from the start.
        package func seekToEnd() throws -> Int { try result(.fileReadUnknown) { Int(lseek($0, 0, Int32(SEEK_END))) } }

        /// Moves to a byte.
        package func seek(toOffset offset: Int) throws {
            _ = try result(.fileReadUnknown) { Int(lseek($0, off_t(offset), Int32(SEEK_SET))) }
        }

        /// Calls the system, again if a signal interrupted it, and throws an error if the result is negative.
        private func result(_ unknown: CocoaError.Code, _ call: (Int32) -> Int) throws -> Int {
            guard let open = descriptor.withLock({ $0 }) else { throw failure(EBADF, unknown) }
            while true {
                let result = call(open)
                if result >= 0 { return result }
                let code = errno
                if code != EINTR { throw failure(code, unknown) }
            }
        }

        private func failure(_ code: Int32, _ unknown: CocoaError.Code) -> CocoaError {
            let kind: CocoaError.Code =
                switch code {
                case ENOSPC: .fileWriteOutOfSpace
                case EROFS: .fileWriteVolumeReadOnly
                case EACCES, EPERM: .fileWriteNoPermission
                default: unknown
                }
            return CocoaError(kind, userInfo: ["NSDebugDescription": String(cString: strerror(code))])
        }
    }

    // Outside the type, whose own functions have the same names.
    private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
    private func closeFile(_ file: Int32) -> Int32 { close(file) }
    private func readFile(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        read(file, bytes, count)
    }
    private func writeFile(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
#endif
