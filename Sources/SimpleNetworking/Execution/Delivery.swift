/// Runs handlers one after the other, each in its place.
enum Delivery {
    /// Asks for one step after the other until there is none.
    ///
    /// Returns at once; no step runs before it has returned, but those that belong where this is called.
    ///
    /// - Parameters:
    ///   - source: What has the steps.
    ///   - origin: Where this is called, if that is a place of steps.
    ///   - owner: What lives until the last of them has run.
    static func run(
        _ source: some DeliverySource,
        from origin: HandlerPlace?,
        holding owner: (any AnyObject & Sendable)?
    ) {
        guard let (step, place) = source.nextStep() else { return }
        if place == origin { return perform(step, in: place, of: source, holding: owner) }
        place.run { perform(step, in: place, of: source, holding: owner) }
    }

    /// Steps that share a place run without another hop.
    private static func perform<Source: DeliverySource>(
        _ first: Source.Step,
        in place: HandlerPlace,
        of source: Source,
        holding owner: (any AnyObject & Sendable)?
    ) {
        var step = first
        while true {
            source.perform(step, in: place)
            guard let (following, next) = source.nextStep() else { return withExtendedLifetime(owner) {} }
            guard next == place else {
                return next.run { perform(following, in: next, of: source, holding: owner) }
            }
            step = following
        }
    }
}

/// Has handlers to run; closures for each of them would cost more than the handlers.
protocol DeliverySource: AnyObject, Sendable {
    associatedtype Step: Sendable

    /// The next handler to run, and where; nil if there is none.
    func nextStep() -> (Step, HandlerPlace)?

    /// Runs a handler, in its place.
    func perform(_ step: Step, in place: HandlerPlace)
}
