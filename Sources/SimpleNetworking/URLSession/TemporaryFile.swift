import SimpleNetworkingSupport

/// A file that only this user can read, and that is removed with its last reference.
final class TemporaryFile: Sendable {
    let url: URL
    private let state: Locked<(handle: FileHandle?, length: Int)>

    /// Creates an empty file.
    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("SimpleNetworking-\(UUID().uuidString)")
        state = Locked((try Self.create(url), 0))
    }

    private static func create(_ url: URL) throws -> FileHandle {
        #if os(Windows)
            try Data().write(to: url, options: .withoutOverwriting)
            return try FileHandle(forWritingTo: url)
        #else
            // Foundation would create it with the default permissions first.
            let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw NSError(domain: NSPOSIXErrorDomain, code: Int(clamping: errno)) }
            return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        #endif
    }

    /// The size of the file in bytes.
    var length: Int { state.withLock { $0.length } }

    func append(_ data: Data) throws {
        try state.withLock { state in
            guard let handle = state.handle else { throw CocoaError(.fileWriteUnknown) }
            try handle.write(contentsOf: data)
            state.length = state.length.addingSaturated(data.count)
        }
    }

    /// Finishes writing.
    func close() throws {
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
