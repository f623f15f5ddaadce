/// The files that tasks of this process are writing, each by one task at a time.
///
/// What a cancelled task writes may end later than the task's caller, so a later task waits until the file is free.
final class ExclusiveFiles: Sendable {
    /// Another task is writing to the file.
    struct InUse: Error {}

    private struct Holder {
        var isCancelled = false
        var waiting: [Race<Void>] = []
    }

    private let holders = Locked<[String: Holder]>([:])

    /// Runs what writes to a file.
    ///
    /// - Throws: `InUse` if a task that has not been cancelled writes to it; `CancellationError` if this task was
    ///   cancelled while it waited.
    func withFile<Result>(at url: URL, _ write: () async throws -> Result) async throws -> Result {
        let path = url.resolvedPath
        while let free = try join(path) { try await free.value() }
        defer { leave(path) }
        return try await withTaskCancellationHandler {
            try await write()
        } onCancel: {
            holders.withLock { $0[path]?.isCancelled = true }
        }
    }

    /// Returns nil if the file is the caller's now, else what ends when it may try again.
    private func join(_ path: String) throws -> Race<Void>? {
        try holders.withLock { holders in
            guard let holder = holders[path] else {
                holders[path] = Holder()
                return nil
            }
            guard holder.isCancelled else { throw InUse() }
            let free = Race<Void>()
            holders[path]?.waiting.append(free)
            return free
        }
    }

    private func leave(_ path: String) {
        let holder = holders.withLock { $0.removeValue(forKey: path) }
        holder?.waiting.forEach { $0.finish(.success(())) }
    }
}

extension URL {
    /// The path without links to its folder: a folder may have several names.
    fileprivate var resolvedPath: String {
        guard let folder = realpath(deletingLastPathComponent().path, nil) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + lastPathComponent
    }
}
