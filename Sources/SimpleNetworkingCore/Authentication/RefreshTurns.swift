import SimpleNetworkingSupport

/// Lets clients that share an authenticator refresh its credential one after another.
///
/// Each client shares a refresh among its own requests, and this class separates the refreshes of several clients. Only
/// an authenticator that is an object is recognized as shared, because values aren't compared.
final class RefreshTurns: Sendable {
    static let shared = RefreshTurns()

    /// An authenticator, and the user whose credential it refreshes.
    ///
    /// The next user doesn't wait for the refresh of one who has signed out.
    struct Key: Hashable {
        private let authenticator: ObjectIdentifier
        private let user: String

        /// Creates the key for an authenticator that clients can share; nil for a value.
        ///
        /// Without a credential, there is no user yet.
        init?<Scheme: Authenticator>(_ authenticator: Scheme, _ credential: Scheme.Credential?) {
            guard Scheme.self is AnyClass else { return nil }
            self.authenticator = ObjectIdentifier(authenticator as AnyObject)
            user = credential.map(authenticator.identity) ?? ""
        }
    }

    private struct Turn {
        let number: Int
        var waiting: [FirstResult<Void>] = []
    }

    private struct State {
        var turns: [Key: Turn] = [:]
        var lastNumber = 0
    }

    private let state = Locked(State())

    /// Waits until a refresh that another client has begun has ended, if there is such a refresh.
    func wait(for key: Key) async throws { try await currentTurn(of: key)?.value() }

    /// Refreshes when no other client does.
    ///
    /// `refresh` should check whether a refresh is still necessary.
    ///
    /// After `limit` seconds, other clients no longer wait for this refresh.
    func run(
        for key: Key,
        limit: TimeInterval,
        clock: any RequestClock,
        _ refresh: () async throws -> Void
    ) async throws {
        let number = try await nextTurn(of: key)
        let cancelAlarm = clock.schedule(after: limit, for: .refresh) { [self] in end(key, number) }
        defer {
            cancelAlarm()
            end(key, number)
        }
        try await refresh()
    }

    /// Waits until no other client refreshes, begins a turn and returns its number.
    private func nextTurn(of key: Key) async throws -> Int {
        while true {
            if let number = begin(key) { return number }
            try await wait(for: key)
        }
    }

    /// Returns a value to wait for the end of the current turn; nil if there is no current turn.
    private func currentTurn(of key: Key) -> FirstResult<Void>? {
        state.withLock { state in
            guard state.turns[key] != nil else { return nil }
            let waiting = FirstResult<Void>()
            state.turns[key]?.waiting.append(waiting)
            return waiting
        }
    }

    /// Begins a turn and returns its number; returns nil if another turn is in progress.
    private func begin(_ key: Key) -> Int? {
        state.withLock { state in
            guard state.turns[key] == nil else { return nil }
            state.lastNumber += 1
            state.turns[key] = Turn(number: state.lastNumber)
            return state.lastNumber
        }
    }

    /// Ends a turn, unless it has ended already.
    private func end(_ key: Key, _ number: Int) {
        let waiting = state.withLock { state -> [FirstResult<Void>] in
            guard let turn = state.turns[key], turn.number == number else { return [] }
            state.turns[key] = nil
            return turn.waiting
        }
        for turn in waiting { turn.finish(.success(())) }
    }
}
