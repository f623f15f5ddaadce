/// A value that is only reachable while holding a lock.
///
/// `Synchronization.Mutex` needs iOS 18 and macOS 15, and Foundation's locks cost several allocations each on Linux; here
/// lock and value share one.
struct Locked<Value>: @unchecked Sendable {
    private struct Content {
        var value: Value
        var isInUse = false
    }

    private final class Storage: ManagedBuffer<Content, pthread_mutex_t> {
        deinit { withUnsafeMutablePointerToElements { _ = pthread_mutex_destroy($0) } }
    }

    private let storage: ManagedBuffer<Content, pthread_mutex_t>

    init(_ value: Value) {
        storage = Storage.create(minimumCapacity: 1) { storage in
            storage.withUnsafeMutablePointerToElements { mutex in
                var attributes = pthread_mutexattr_t()
                pthread_mutexattr_init(&attributes)
                // Recursive, so that an access within an access traps below, as it does for a stored property, instead of
                // waiting for itself: `_modify` runs a caller's expression under the lock.
                pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
                pthread_mutex_init(mutex, &attributes)
                pthread_mutexattr_destroy(&attributes)
            }
            return Content(value: value)
        }
    }

    /// Never call out to a user's code from `body`.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        let content = begin()
        defer { end() }
        return try body(&content.pointee.value)
    }

    /// For `_modify` accessors: an in-place, atomic change of one member.
    subscript<Member>(member path: WritableKeyPath<Value, Member>) -> Member {
        get { withLock { $0[keyPath: path] } }
        nonmutating _modify {
            let content = begin()
            defer { end() }
            yield &content.pointee.value[keyPath: path]
        }
    }

    /// The storage outlives the access: both callers hold `self` until `end()`.
    private func begin() -> UnsafeMutablePointer<Content> {
        storage.withUnsafeMutablePointers { content, mutex in
            pthread_mutex_lock(mutex)
            precondition(!content.pointee.isInUse, "a locked value is used while it is being changed")
            content.pointee.isInUse = true
            return content
        }
    }

    private func end() {
        storage.withUnsafeMutablePointers { content, mutex in
            content.pointee.isInUse = false
            pthread_mutex_unlock(mutex)
        }
    }
}

extension Locked: CustomReflectable {
    /// Shows nothing: to look at the value takes the lock.
    var customMirror: Mirror { Mirror(self, children: []) }
}
