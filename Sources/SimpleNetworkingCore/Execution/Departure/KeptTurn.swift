import SimpleNetworkingSupport

/// Keeps a request's turn while user code is asked, and gives it back if that takes its time.
///
/// User code may wait for a request that other code has made, which waits for its turn in turn.
final class KeptTurn: Sendable {
    private struct State {
        var turn: (any RequestTurn)?
        var isAsking = false
        var hasWaited = false
    }

    /// The number of seconds after which user code is slow, the first time.
    static let firstPatience: TimeInterval = 0.05

    private let plan: RequestPlan
    private let patience: TimeInterval
    private let state: Locked<State>

    init(_ plan: RequestPlan, _ turn: (any RequestTurn)? = nil, patience: TimeInterval = firstPatience) {
        self.plan = plan
        self.patience = patience
        state = Locked(State(turn: turn))
    }

    /// The turn, unless it was given back.
    var turn: (any RequestTurn)? { state.withLock(\.turn) }
    /// Whether something took its time.
    var hasWaited: Bool { state.withLock(\.hasWaited) }

    /// Calls user code, and gives the turn back if that takes its time.
    ///
    /// After a cancellation, it doesn't wait for the code, which may not notice that.
    func ask<Value: Sendable>(_ code: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let work = AwaitedWork()
        if !plan.hasTurns {
            defer { withExtendedLifetime(work) {} }
            return try await AwaitedScope.$current.withValue(work.scope, operation: code)
        }
        let isKept = state.withLock { state in
            state.isAsking = true
            return state.turn != nil
        }
        let cancelAlarm =
            isKept ? plan.clock.schedule(after: patience, for: .refresh) { [self] in giveBack { $0.isAsking } } : nil
        let first = FirstResult<Value>()
        let task = AwaitedScope.$current.withValue(work.scope) {
            Task.start(on: plan.scheduler) {
                do { first.finish(.success(try await code())) } catch { first.finish(.failure(error)) }
                withExtendedLifetime(work) {}
            }
        }
        defer {
            task.cancel()
            cancelAlarm?()
            // The alarm may be ringing already, and the request is about to be sent with its turn.
            state.withLock { $0.isAsking = false }
        }
        return try await first.value()
    }

    /// Waits for a refresh, without the turn.
    ///
    /// After that, the credential is too short-lived for another wait in the queue, and the turn is kept for some time.
    func wait(for refresh: FirstResult<CredentialGeneration>) async throws -> CredentialGeneration {
        state.withLock { $0.hasWaited = true }
        if patience > Self.firstPatience { return try await ask { try await refresh.value() } }
        giveBack()
        return try await refresh.value()
    }

    private func giveBack(if isDue: (State) -> Bool = { _ in true }) {
        let turn = state.withLock { state -> (any RequestTurn)? in
            guard isDue(state) else { return nil }
            state.hasWaited = true
            return state.turn.take()
        }
        turn?.giveBack()
    }
}
