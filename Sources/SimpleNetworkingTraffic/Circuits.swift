import SimpleNetworkingFeatureSupport

/// Holds the circuits of all origins that a breaker has seen recently.
struct Circuits: Sendable {
    let rules: Circuit.Rules
    private var circuits: [Origin: Circuit] = [:]
    /// The number of circuits above which unneeded ones are removed.
    private var limit = 64

    init(_ rules: Circuit.Rules) { self.rules = rules }

    var count: Int { circuits.count }

    mutating func admit(to origin: Origin, at now: TimeInterval) -> Circuit.Admission {
        // A client that follows links would otherwise keep one for each server it ever contacted.
        if circuits[origin] == nil, circuits.count >= limit { removeIdle(at: now) }
        return circuits[origin, default: Circuit(rules)].admit(at: now)
    }

    mutating func settle(
        _ permit: Circuit.Permit,
        _ outcome: Circuit.Outcome,
        to origin: Origin,
        at now: TimeInterval
    ) -> Circuit.Change { circuits[origin]?.settle(permit, outcome, at: now) ?? .none }

    /// Removes unneeded circuits.
    ///
    /// The limit grows with the number of circuits in use, so that a full pass is rare.
    private mutating func removeIdle(at now: TimeInterval) {
        for (origin, var circuit) in circuits where circuit.isIdle(at: now) { circuits[origin] = nil }
        limit = max(64, circuits.count.addingSaturated(circuits.count))
    }
}
