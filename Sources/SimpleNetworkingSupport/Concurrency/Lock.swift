#if os(Windows)
    import WinSDK
#endif

/// A mutex in a fixed place; a function call is smaller than its code would be wherever a value is locked.
@usableFromInline
struct Lock {
    private var system = SystemLock()
    private var isInUse = false

    @usableFromInline
    init() {}

    // Recursive, so that a nested access traps below instead of deadlocking.
    @usableFromInline
    static func create(_ lock: UnsafeMutablePointer<Lock>) { makeLock(&lock.pointee.system) }

    @usableFromInline
    static func destroy(_ lock: UnsafeMutablePointer<Lock>) { destroyLock(&lock.pointee.system) }

    @usableFromInline
    static func take(_ lock: UnsafeMutablePointer<Lock>) {
        takeLock(&lock.pointee.system)
        precondition(!lock.pointee.isInUse, "a locked value is used while it is being changed")
        lock.pointee.isInUse = true
    }

    @usableFromInline
    static func release(_ lock: UnsafeMutablePointer<Lock>) {
        lock.pointee.isInUse = false
        releaseLock(&lock.pointee.system)
    }
}

#if os(Windows)
    private typealias SystemLock = CRITICAL_SECTION

    private func makeLock(_ lock: UnsafeMutablePointer<SystemLock>) { InitializeCriticalSection(lock) }

    private func takeLock(_ lock: UnsafeMutablePointer<SystemLock>) { EnterCriticalSection(lock) }

    private func releaseLock(_ lock: UnsafeMutablePointer<SystemLock>) { LeaveCriticalSection(lock) }

    private func destroyLock(_ lock: UnsafeMutablePointer<SystemLock>) { DeleteCriticalSection(lock) }
#else
    private typealias SystemLock = pthread_mutex_t

    private func makeLock(_ lock: UnsafeMutablePointer<SystemLock>) {
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
        pthread_mutex_init(lock, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    private func takeLock(_ lock: UnsafeMutablePointer<SystemLock>) { pthread_mutex_lock(lock) }

    private func releaseLock(_ lock: UnsafeMutablePointer<SystemLock>) { pthread_mutex_unlock(lock) }

    private func destroyLock(_ lock: UnsafeMutablePointer<SystemLock>) { pthread_mutex_destroy(lock) }
#endif
