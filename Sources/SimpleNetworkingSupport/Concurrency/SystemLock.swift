// The system's recursive lock, which `Locked` keeps beside its value.

#if os(Windows)
    import WinSDK

    typealias SystemLock = CRITICAL_SECTION

    func makeLock(_ lock: UnsafeMutablePointer<SystemLock>) { InitializeCriticalSection(lock) }

    func takeLock(_ lock: UnsafeMutablePointer<SystemLock>) { EnterCriticalSection(lock) }

    func releaseLock(_ lock: UnsafeMutablePointer<SystemLock>) { LeaveCriticalSection(lock) }

    func destroyLock(_ lock: UnsafeMutablePointer<SystemLock>) { DeleteCriticalSection(lock) }
#else
    typealias SystemLock = pthread_mutex_t

    func makeLock(_ lock: UnsafeMutablePointer<SystemLock>) {
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
        pthread_mutex_init(lock, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    func takeLock(_ lock: UnsafeMutablePointer<SystemLock>) { pthread_mutex_lock(lock) }

    func releaseLock(_ lock: UnsafeMutablePointer<SystemLock>) { pthread_mutex_unlock(lock) }

    func destroyLock(_ lock: UnsafeMutablePointer<SystemLock>) { pthread_mutex_destroy(lock) }
#endif
