/// Knows the sign-ins that wait for the app's URL handler, of all sessions: an error without a state is meant for one of them.
actor PendingSignIns {
    static let shared = PendingSignIns()

    private var sessions: [ObjectIdentifier: UUID] = [:]

    /// A session waits for one redirect at a time.
    func begin(_ id: UUID, of session: OAuthSession) { sessions[ObjectIdentifier(session)] = id }

    func end(_ id: UUID, of session: OAuthSession) {
        if sessions[ObjectIdentifier(session)] == id { sessions[ObjectIdentifier(session)] = nil }
    }

    /// Tells whether this sign-in waits, and no other does.
    func isAlone(_ id: UUID) -> Bool { Array(sessions.values) == [id] }
}
