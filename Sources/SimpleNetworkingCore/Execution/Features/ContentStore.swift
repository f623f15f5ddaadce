import SimpleNetworkingSupport

/// A destination that keeps content, and in which the content counts only once the response is accepted.
package protocol ContentStore: ResponseDestination {
    /// Returns the stage that takes the content of an attempt's responses, or of a response that is in memory.
    ///
    /// The stage adds a commit for a response that was delivered.
    func stage(for delivery: Delivery) -> any Middleware

    /// Returns whether a response has nothing to deliver: it says that what is kept is current, or another request has
    /// delivered its content.
    func isCurrent(by response: SimpleResponse) throws -> Bool

    /// Reserves the store for a transfer, which may return late, until the returned closure is called.
    func reserve() -> @Sendable () -> Void
}

/// What a store may know of the request whose content it takes.
package struct Delivery: Sendable {
    package let clock: any RequestClock
    /// The attempt; nil if a handler has provided the response, for which nothing is sent.
    package let attempt: Attempt?
    /// Whether the content may continue what is there from an earlier attempt.
    package let mayContinue: Bool
    private let options: Options
    private let keep: @Sendable (Commit) -> Bool

    init(of attempt: Attempt, mayContinue: Bool = true) {
        self.attempt = attempt
        self.mayContinue = mayContinue && attempt.plan.acceptableStatuses.contains(206)
        clock = attempt.plan.clock
        options = attempt.plan.options
        let (execution, round) = (attempt.execution, attempt.plan.round)
        keep = { execution.keep($0, of: round) }
    }

    /// The delivery of a response that a handler has provided.
    init(clock: any RequestClock, options: Options, keep: @escaping @Sendable (Commit) -> Bool) {
        attempt = nil
        mayContinue = false
        self.clock = clock
        self.options = options
        self.keep = keep
    }

    /// The value of an option, as the request or its client sets it.
    package subscript<Key: OptionKey>(key: Key.Type) -> Key.Value { options[key] }

    /// Has a commit carried out when the response is accepted; returns false if the content isn't needed any more.
    package func add(_ commit: Commit) -> Bool { keep(commit) }
}

extension ContentDestination {
    /// What keeps the content; nil if it goes to memory, or to a receiver.
    var store: (any ContentStore)? { if case .other(let other) = self { other as? any ContentStore } else { nil } }

    /// Whether content counts only once its response is accepted.
    var isStore: Bool { store != nil }
}
