/// Lets clients that share an authenticator refresh its credential one after another.
///
/// Each client shares a refresh among its own requests; this class separates the refreshes of several clients. Only an
/// authenticator that is an object is recognized as shared; values are not compared.
final class RefreshTurns: Sendable {
    static let shared = RefreshTurns()

    fileprivate struct Turn {
        let number: Int
        /// Returns whether its client no longer waits for it.
        let isOver: @Sendable () -> Bool
        var waiting: [FirstResult<Void>] = []
    }

    fileprivate struct State {
        var turns: [ObjectIdentifier: Turn] = [:]
        var lastNumber = 0
    }

    private let state = Locked(State())

    /// Waits for the end of a refresh that another client has begun, if there is one.
    func wait(for authenticator: some Authenticator) async throws {
        guard let object = object(of: authenticator) else { return }
        let turn: FirstResult<Void>? = state.withLock { $0.wait(for: object) }
        try await turn?.value()
    }

    /// Refreshes when no other client does, and informs `refresh` whether it had to wait.
    ///
    /// After `limit` seconds, other clients no longer wait.
    func run(
        for authenticator: some Authenticator,
        limit: TimeInterval,
        clock: any RequestClock,
        _ refresh: (_ hasWaited: Bool) async throws -> Void
    ) async throws {
        guard let object = object(of: authenticator) else { return try await refresh(false) }
        let end = clock.now + limit
        var hasWaited = false
        var number: Int?
        while number == nil {
            let (begun, turn) = state.withLock { state -> (Int?, FirstResult<Void>?) in
                if let turn = state.wait(for: object) { return (nil, turn) }
                return (state.begin(object) { clock.now >= end }, nil)
            }
            number = begun
            if let turn {
                hasWaited = true
                try await turn.value()
            }
        }
        defer {
            let waiting = state.withLock { $0.end(object, number) }
            for turn in waiting { turn.finish(.success(())) }
        }
        try await refresh(hasWaited)
    }

    /// Returns the authenticator's identity; nil for a value.
    private func object<Scheme: Authenticator>(of authenticator: Scheme) -> ObjectIdentifier? {
        guard Scheme.self is AnyClass else { return nil }
        return ObjectIdentifier(authenticator as AnyObject)
    }
}

extension RefreshTurns.State {
    /// Returns a wait for the end of an object's turn; nil if there is no turn.
    fileprivate mutating func wait(for object: ObjectIdentifier) -> FirstResult<Void>? {
        guard let turn = turns[object], !turn.isOver() else { return nil }
        let waiting = FirstResult<Void>()
        turns[object]?.waiting.append(waiting)
        return waiting
    }

    fileprivate mutating func begin(_ object: ObjectIdentifier, isOver: @escaping @Sendable () -> Bool) -> Int {
        lastNumber += 1
        // Clients that wait for a turn that has taken too long now wait for this one.
        let waiting = turns[object]?.waiting ?? []
        turns[object] = RefreshTurns.Turn(number: lastNumber, isOver: isOver, waiting: waiting)
        return lastNumber
    }

    /// Ends a turn unless another one has replaced it, and returns the waits for it.
    fileprivate mutating func end(_ object: ObjectIdentifier, _ number: Int?) -> [FirstResult<Void>] {
        guard let turn = turns[object], turn.number == number else { return [] }
        turns[object] = nil
        return turn.waiting
    }
}
