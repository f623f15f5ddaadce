import SimpleNetworkingSupport

/// Holds back the transfers of a request, and of its awaited copies, while the request is suspended.
package final class Suspension: Sendable {
    private struct State {
        /// The request object on which `suspend()` was called, or nil if the request isn't suspended.
        var suspender: ObjectIdentifier?
        var waiting: [FirstResult<Void>] = []
    }

    private let state = Locked(State())
    /// The closures that are notified of changes.
    ///
    /// This lock is held during the calls, so that the last call has the current value. The closures don't run user
    /// code.
    private let observers = Locked([UInt: @Sendable (_ isSuspended: Bool) -> Void]())

    package var isSuspended: Bool { state.withLock { $0.suspender != nil } }

    /// Suspends the request, and returns false if it was already suspended.
    func suspend(by suspender: ObjectIdentifier) -> Bool {
        let isNew = state.withLock { state in
            defer { state.suspender = suspender }
            return state.suspender == nil
        }
        if isNew { notify() }
        return isNew
    }

    /// Resumes the request, and returns false if it wasn't suspended.
    ///
    /// If a suspender is given, only its own suspension ends.
    func resume(by suspender: ObjectIdentifier? = nil) -> Bool {
        let waiting: [FirstResult<Void>]? = state.withLock { state in
            guard let former = state.suspender, suspender == nil || former == suspender else { return nil }
            state.suspender = nil
            defer { state.waiting = [] }
            return state.waiting
        }
        guard let waiting else { return false }
        notify()
        for each in waiting { each.finish(.success(())) }
        return true
    }

    /// Waits until the request isn't suspended, and returns whether it was.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    @discardableResult package func wait() async throws -> Bool {
        var hasWaited = false
        while let resumption = nextResumption() {
            hasWaited = true
            do { try await resumption.value() } catch {
                forget(resumption)
                throw error
            }
        }
        return hasWaited
    }

    /// Forgets a result whose caller no longer waits.
    package func forget(_ resumption: FirstResult<Void>) {
        state.withLock { $0.waiting.removeAll { $0 === resumption } }
    }

    /// Returns the result that resuming the request sets, or nil if the request isn't suspended.
    package func nextResumption() -> FirstResult<Void>? {
        state.withLock { state in
            guard state.suspender != nil else { return nil }
            let resumption = FirstResult<Void>()
            state.waiting.append(resumption)
            return resumption
        }
    }

    /// Calls `change` whenever the request is suspended or resumed, and now if it is suspended.
    package func observe(as key: UInt, _ change: @escaping @Sendable (_ isSuspended: Bool) -> Void) {
        observers.withLock { observers in
            observers[key] = change
            if isSuspended { change(true) }
        }
    }

    /// Removes an observer, which isn't called any more when this method has returned.
    package func forget(_ key: UInt) {
        // Released outside the lock.
        let former = observers.withLock { $0.removeValue(forKey: key) }
        withExtendedLifetime(former) {}
    }

    private func notify() {
        observers.withLock { observers in
            let isSuspended = isSuspended
            for change in observers.values { change(isSuspended) }
        }
    }
}
