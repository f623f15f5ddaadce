import SimpleNetworkingFeatureSupport

/// The files that tasks in this process are writing, each of which only one task writes at a time.
///
/// A cancelled task may finish writing after its caller has returned, and so may a transfer that has timed out. A
/// later task waits until the file is free.
final class ExclusiveFiles: Sendable {
    /// A task that has not been cancelled is writing to the file.
    private struct InUse: Error {}

    private struct Holder {
        /// Whether its task was cancelled, or has left a transfer running.
        var isCancelled = false
        /// Whether the content waits for its response to be accepted, for any time.
        var isReserved = false
        /// The number of users: the task, its transfers and the reservation.
        var users = 1
        var waiting: [FirstResult<Void>] = []
    }

    private let holders = Locked<[String: Holder]>([:])

    /// Runs work that writes to a file for a request.
    ///
    /// - Throws: `.invalidRequest` if another request is writing to the file; `.timedOut` if this request's timeout
    ///   passes while it waits for a task that is about to end; `CancellationError` if this task is cancelled meanwhile.
    func withFile<Result>(
        at url: URL,
        for request: TransportRequest,
        _ clock: any RequestClock,
        write: () async throws -> Result
    ) async throws -> Result {
        let path = url.resolvedPath
        do {
            while let free = try join(path) { try await wait(for: free, within: request, clock) }
        } catch is InUse {
            let reason = "another request is writing to \(url.lastPathComponent)"
            throw SimpleNetworkingError.invalidRequest(reason: reason, request.head)
        }
        defer { leave(path, isTask: true) }
        return try await withTaskCancellationHandler {
            try await write()
        } onCancel: {
            holders.withLock { $0[path]?.isCancelled = true }
        }
    }

    /// Waits for an earlier attempt's transfer, which may never return, for at most this attempt's own timeout.
    private func wait(
        for free: FirstResult<Void>,
        within request: TransportRequest,
        _ clock: any RequestClock
    ) async throws {
        let seconds = min(request.timeout, request.idleTimeout ?? .infinity)
        guard seconds < .infinity else { return try await free.value() }
        let cancelTimer = clock.schedule(after: seconds, for: .timeout) {
            free.finish(.failure(SimpleNetworkingError.timedOut(.attempt(seconds), request.head)))
        }
        defer { cancelTimer() }
        try await free.value()
    }

    /// Returns nil if the caller now has the file, or else a result that ends when the caller may try again.
    private func join(_ path: String) throws -> FirstResult<Void>? {
        try holders.withLock { holders in
            guard let holder = holders[path] else {
                holders[path] = Holder()
                return nil
            }
            guard holder.isCancelled else { throw InUse() }
            let free = FirstResult<Void>()
            holders[path]?.waiting.append(free)
            return free
        }
    }

    /// Reserves a file for a transfer of the task that has it, until the returned closure is called.
    func keep(_ url: URL) -> @Sendable () -> Void {
        let path = url.resolvedPath
        holders.withLock { $0[path]?.users += 1 }
        return { self.leave(path, isTask: false) }
    }

    /// Reserves a file beyond the end of the task that has it, until the returned closure is called.
    func reserve(_ url: URL) -> @Sendable () -> Void {
        let path = url.resolvedPath
        holders.withLock { holders in
            holders[path]?.users += 1
            holders[path]?.isReserved = true
        }
        return {
            self.holders.withLock { $0[path]?.isReserved = false }
            self.leave(path, isTask: true)
        }
    }

    /// Lets others wait for a file whose reservation is about to end.
    func expectEnd(of url: URL) {
        let path = url.resolvedPath
        holders.withLock { $0[path]?.isCancelled = true }
    }

    /// Ends the use by the task, or by one of its transfers, after whose return the task may keep writing.
    private func leave(_ path: String, isTask: Bool) {
        let former: Holder? = holders.withLock { holders in
            guard var holder = holders.removeValue(forKey: path) else { return nil }
            holder.users -= 1
            if holder.users == 0 { return holder }
            if isTask, !holder.isReserved { holder.isCancelled = true }
            holders[path] = holder
            return nil
        }
        former?.waiting.forEach { $0.finish(.success(())) }
    }
}

extension URL {
    /// The path with the links to its folder resolved, because a folder may have several names.
    fileprivate var resolvedPath: String {
        guard let folder = SystemFiles.resolvedPath(of: deletingLastPathComponent().path) else { return path }
        return folder + "/" + lastPathComponent
    }
}
