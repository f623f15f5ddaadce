/// Takes the end of a renewal: call it once, with an error if the credential could not be renewed.
///
/// It may be called from any thread; later calls do nothing. If it is dropped without a call, the renewal has failed with
/// `RenewalFailure.forgotten`, so that nobody waits for ever.
public final class RenewalCompletion: Sendable {
    private struct State {
        var finish: (@Sendable ((any Error)?) -> Void)?
        var cleanUp: (@Sendable () -> Void)?
    }

    private let state: Locked<State>

    init(_ finish: @escaping @Sendable ((any Error)?) -> Void) { state = Locked(State(finish: finish)) }

    /// Says how the renewal ended: nil, and no argument, for a credential that is renewed.
    public func callAsFunction(_ error: (any Error)? = nil) {
        let state = state.withLock { state in
            defer { state = State() }
            return state
        }
        state.cleanUp?()
        state.finish?(error)
    }

    /// Called when it has ended, or at once if it has already.
    func onEnd(_ cleanUp: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            guard state.finish != nil else { return false }
            state.cleanUp = cleanUp
            return true
        }
        if !isOpen { cleanUp() }
    }

    deinit { callAsFunction(RenewalFailure.forgotten) }
}
