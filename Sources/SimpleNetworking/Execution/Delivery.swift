/// Runs handlers one after the other, each in its place.
enum Delivery {
    /// One handler and its place.
    struct Step: Sendable {
        let place: HandlerPlace
        let work: @Sendable () -> Void
    }

    /// Asks for one step after the other until there is none.
    ///
    /// Returns at once; no step runs before it has returned.
    static func run(_ next: @escaping @Sendable () -> Step?) {
        guard let step = next() else { return }
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
