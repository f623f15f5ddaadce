/// A value that is only reachable while holding a lock.
///
/// `Synchronization.Mutex` needs iOS 18 and macOS 15, so this is a recursive `NSLock` and a value.
final class Locked<Value>: @unchecked Sendable {
    // Recursive: `_modify` below runs a caller's expression under the lock, and a nested access should trap as an
    // overlapping access (as it does for a stored property) instead of hanging.
    private let lock = NSRecursiveLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    /// Never call out to a user's code from `body`.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// For `_modify` accessors: an in-place, atomic change of one member.
    subscript<Member>(member path: WritableKeyPath<Value, Member>) -> Member {
        get { withLock { $0[keyPath: path] } }
        _modify {
            lock.lock()
            defer { lock.unlock() }
            yield &value[keyPath: path]
        }
    }
}
