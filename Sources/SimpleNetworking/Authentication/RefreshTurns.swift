/// Lets clients that share an authenticator refresh its credential one after another.
///
/// Each client shares a refresh among its own requests; this class separates the refreshes of several clients. Only an
/// authenticator that is an object is recognized as shared; values are not compared.
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

    /// Waits for the end of a refresh that another client has begun, if there is one.
    func wait(for authenticator: some Authenticator) async throws {
        guard let object = object(of: authenticator) else { return }
        try await currentTurn(of: object)?.value()
    }

    /// Refreshes when no other client does; `refresh` should look whether that is still necessary.
    ///
    /// After `limit` seconds, other clients no longer wait.
    func run(
        for authenticator: some Authenticator,
        limit: TimeInterval,
        clock: any RequestClock,
        _ refresh: () async throws -> Void
    ) async throws {
        guard let object = object(of: authenticator) else { return try await refresh() }
        var begun: Int?
        while begun == nil {
            begun = begin(object)
            if begun == nil { try await currentTurn(of: object)?.value() }
        }
        guard let number = begun else { return }
        let cancelAlarm = clock.schedule(after: limit, for: .other) { [self] in end(object, number) }
        defer {
            cancelAlarm()
            end(object, number)
        }
        try await refresh()
    }

    /// Returns a wait for the end of the current turn; nil if there is none.
    private func currentTurn(of object: ObjectIdentifier) -> FirstResult<Void>? {
        state.withLock { state in
            guard state.turns[object] != nil else { return nil }
            let waiting = FirstResult<Void>()
            state.turns[object]?.waiting.append(waiting)
            return waiting
        }
    }

    /// Begins a turn and returns its number; nil if there is one.
    private func begin(_ object: ObjectIdentifier) -> Int? {
        state.withLock { state in
            guard state.turns[object] == nil else { return nil }
            state.lastNumber += 1
            state.turns[object] = Turn(number: state.lastNumber)
            return state.lastNumber
        }
    }

    /// Ends a turn, unless it has ended already.
    private func end(_ object: ObjectIdentifier, _ number: Int) {
        let waiting = state.withLock { state -> [FirstResult<Void>] in
            guard let turn = state.turns[object], turn.number == number else { return [] }
            state.turns[object] = nil
            return turn.waiting
        }
        for turn in waiting { turn.finish(.success(())) }
    }

    /// Returns the authenticator's identity; nil for a value.
    private func object<Scheme: Authenticator>(of authenticator: Scheme) -> ObjectIdentifier? {
        guard Scheme.self is AnyClass else { return nil }
        return ObjectIdentifier(authenticator as AnyObject)
    }
}
