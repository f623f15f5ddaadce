/// Runs handlers one after the other, each in its place.
enum Delivery {
    /// One handler and its place.
    struct Step: Sendable {
        let place: HandlerPlace
        let work: @Sendable () -> Void
    }

    /// Asks for one step after the other until there is none.
    ///
    /// Returns at once; no step runs before it has returned, but those that belong where this is called.
    ///
    /// - Parameters:
    ///   - place: Where this is called, if that is a place of steps.
    ///   - next: Gives the next step.
    static func run(from place: HandlerPlace? = nil, _ next: @escaping @Sendable () -> Step?) {
        guard let step = next() else { return }
        if step.place == place { return perform(step, then: next) }
        step.place.run { perform(step, then: next) }
    }

    /// Steps that share a place run without another hop.
    private static func perform(_ first: Step, then next: @escaping @Sendable () -> Step?) {
        var step = first
        while true {
            step.work()
            guard let following = next() else { return }
            guard following.place == step.place else {
                return following.place.run { perform(following, then: next) }
            }
            step = following
        }
    }
}
