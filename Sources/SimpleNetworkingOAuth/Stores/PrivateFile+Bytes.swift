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

    /// Makes a file that nobody else may open, not even before it has got its mode.
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

    /// A new name is kept for good only when its folder is.
    func syncFolder() throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open") }
        defer { close(descriptor) }
        try sync(descriptor)
    }

    private func sync(_ descriptor: Int32) throws {
        #if canImport(Darwin)
            // There, fsync leaves the bytes in the drive's own memory.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        // Some file systems cannot, and say so.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure("fsync") }
    }

    func failure(_ call: String) -> CredentialStoreError { .system(call: call, path: path, errno: errno) }
}

// Outside the type, whose own methods have these names.
private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
