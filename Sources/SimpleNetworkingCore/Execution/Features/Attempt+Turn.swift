import SimpleNetworkingSupport

/// What features know of a request's waits, and note.
extension Attempt {
    /// The client's clock.
    package var clock: any RequestClock { plan.clock }

    /// Chooses a number at random; in a simulation, the scheduler does.
    package var random: (ClosedRange<Double>) -> Double { plan.random }

    /// The account to which the request belongs; nil until it is known.
    package var account: AccountNumber? { execution.account?.number }

    /// Returns the state that a feature keeps for the client, which is made when it is first needed.
    package func service<Service: ClientService>(_ type: Service.Type, _ make: () -> Service) -> Service {
        plan.client.services.service(type, make)
    }

    // MARK: Time

    /// Whether the request has a deadline.
    package var hasDeadline: Bool { plan.deadline != nil }

    /// Returns whether something could begin after this delay, before the deadline.
    package func hasTime(for delay: TimeInterval) -> Bool { execution.hasTime(for: delay) }

    /// Adds seconds that don't count against the attempt's timeout.
    package func noteWait(_ seconds: TimeInterval) { execution.noteWait(seconds) }

    /// The number of seconds for which the request has found no server since it last reached one.
    package var secondsWithoutConnection: TimeInterval {
        get { execution.state.withLock { $0.alarms.secondsWithoutConnection } }
        nonmutating set { execution.state.withLock { $0.alarms.secondsWithoutConnection = newValue } }
    }

    // MARK: Turns

    /// The time of the execution or of its follow-up, which decides the request's position among those that wait.
    ///
    /// This time also applies after a rejected attempt.
    package var turnStart: TimeInterval { execution.turnStart }

    /// Whether a request of the execution or of its follow-up has had a turn, so that the next isn't refused one.
    package var hasHadTurn: Bool { execution.hasHadTurn }

    /// Notes that the attempt has a turn.
    package func noteTurn(hasWaited: Bool) { execution.noteTurn(hasWaited: hasWaited) }

    // MARK: Suspension

    /// What holds the request back, once it was suspended.
    package var suspension: Suspension? { execution.suspension() }

    /// What holds back the transfer while the request is suspended; nil for a transfer that can't be held back.
    package var transferSuspension: Suspension? { plan.suspension }
}
