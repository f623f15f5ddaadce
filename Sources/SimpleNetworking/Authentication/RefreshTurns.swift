/// Lets clients that share an authenticator refresh its credential one after another.
///
/// Each client shares a refresh among its own requests, and this class separates the refreshes of several clients. Only
/// an authenticator that is an object is recognized as shared, because values aren't compared.
final class RefreshTurns: Sendable {
    static let shared = RefreshTurns()

    private struct Turn {
        let number: Int
        var waiting: [FirstResult<Void>] = []
    }

    private struct State {
        var turns: [ObjectIdentifier: Turn] = [:]
        var lastNumber = 0
    }

    private let state = Locked(State())

    /// Returns the identity of an authenticator that clients can share; nil for a value.
    static func identity<Scheme: Authenticator>(of authenticator: Scheme) -> ObjectIdentifier? {
        Scheme.self is AnyClass ? ObjectIdentifier(authenticator as AnyObject) : nil
    }

    /// Waits until a refresh that another client has begun has ended, if there is such a refresh.
    func wait(for authenticator: ObjectIdentifier) async throws { try await currentTurn(of: authenticator)?.value() }

    /// Refreshes when no other client does.
    ///
    /// `refresh` should check whether a refresh is still necessary.
    ///
    /// After `limit` seconds, other clients no longer wait for this refresh.
    func run(
        for authenticator: ObjectIdentifier,
        limit: TimeInterval,
        clock: any RequestClock,
        _ refresh: () async throws -> Void
    ) async throws {
        let number = try await nextTurn(of: authenticator)
        let cancelAlarm = clock.schedule(after: limit, for: .other) { [self] in end(authenticator, number) }
        defer {
            cancelAlarm()
            end(authenticator, number)
        }
        try await refresh()
    }

    /// Waits until no other client refreshes, begins a turn and returns its number.
    private func nextTurn(of authenticator: ObjectIdentifier) async throws -> Int {
        while true {
            if let number = begin(authenticator) { return number }
            try await wait(for: authenticator)
        }
    }

    /// Returns a value to wait for the end of the current turn; nil if there is no current turn.
    private func currentTurn(of authenticator: ObjectIdentifier) -> FirstResult<Void>? {
        state.withLock { state in
            guard state.turns[authenticator] != nil else { return nil }
            let waiting = FirstResult<Void>()
            state.turns[authenticator]?.waiting.append(waiting)
            return waiting
        }
    }

    /// Begins a turn and returns its number; returns nil if another turn is in progress.
    private func begin(_ authenticator: ObjectIdentifier) -> Int? {
        state.withLock { state in
            guard state.turns[authenticator] == nil else { return nil }
            state.lastNumber += 1
            state.turns[authenticator] = Turn(number: state.lastNumber)
            return state.lastNumber
        }
    }

    /// Ends a turn, unless it has ended already.
    private func end(_ authenticator: ObjectIdentifier, _ number: Int) {
        let waiting = state.withLock { state -> [FirstResult<Void>] in
            guard let turn = state.turns[authenticator], turn.number == number else { return [] }
            state.turns[authenticator] = nil
            return turn.waiting
        }
        for turn in waiting { turn.finish(.success(())) }
    }
}
