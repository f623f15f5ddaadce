/// Keeps programs, and sessions of one program, out of each other's way by a lock on an empty file.
///
/// The system lets go of it when the program ends, so that none is left behind by a crash.
struct FileLock: Sendable {
    let path: String
    let timeout: TimeInterval
    let clock: any RequestClock

    /// Waits for the lock, a turn of 20 ms at a time: a call that waits by itself would keep one of the few threads that
    /// tasks share, and could not be cancelled.
    func take(preparing prepare: @escaping @Sendable () throws -> Void) async throws -> Int32 {
        let descriptor = try await Blocking.run {
            try prepare()
            let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw failure("open") }
            return descriptor
        }
        do {
            let end = clock.now + timeout
            while try !isTaken(by: descriptor) {
                guard clock.now < end else { throw CredentialStoreError.locked(path: path, timeout) }
                try Task.checkCancellation()
                await withCheckedContinuation { turn in
                    _ = clock.schedule(after: 0.02) { turn.resume() }
                }
            }
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    func release(_ descriptor: Int32) { close(descriptor) }

    private func isTaken(by descriptor: Int32) throws -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else { throw failure("flock") }
        return false
    }

    private func failure(_ call: String) -> CredentialStoreError { .system(call: call, path: path, errno: errno) }
}
