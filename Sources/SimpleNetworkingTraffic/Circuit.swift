import SimpleNetworkingFeatureSupport

/// Decides, based on earlier outcomes, whether requests to one origin are sent.
///
/// The circuit is a pure value, whose functions change it and return the action to take. A test runs all sequences.
struct Circuit: Sendable {
    /// Defines when the circuit opens, and for how long.
    struct Rules: Sendable, Hashable {
        var failureShare: Double
        var minimumCalls: Int
        var window: TimeInterval
        var openTime: TimeInterval
    }

    enum Phase: Equatable {
        case closed
        /// No request is sent until this time.
        case open(until: TimeInterval)
        /// One request probes the server. After this time, another request may probe it.
        ///
        /// Therefore, the first probe can never keep the circuit half-open, whatever its outcome.
        case halfOpen(until: TimeInterval)
    }

    /// Permits one request.
    struct Permit: Equatable {
        let isProbe: Bool
        /// The phase in which the permit was given; the request's outcome says nothing about a later phase.
        fileprivate let generation: Int
    }

    enum Admission: Equatable {
        case passed(Permit)
        case refused(until: TimeInterval)
    }

    enum Outcome: CaseIterable {
        case success
        case failure
        /// The outcome says nothing about the server.
        case uncounted
    }

    /// The change that an outcome made.
    enum Change { case none, opened, closed }

    let rules: Rules
    private(set) var phase = Phase.closed
    private var generation = 0
    private var calls: SlidingCounts

    init(_ rules: Rules) {
        self.rules = rules
        calls = SlidingCounts(length: rules.window)
    }

    mutating func admit(at now: TimeInterval) -> Admission {
        switch phase {
        case .closed: return .passed(Permit(isProbe: false, generation: generation))
        case .open(let until) where now < until, .halfOpen(let until) where now < until: return .refused(until: until)
        case .open: enter(.halfOpen(until: now + rules.openTime))
        case .halfOpen: phase = .halfOpen(until: now + rules.openTime)
        }
        return .passed(Permit(isProbe: true, generation: generation))
    }

    /// Returns the permit of a request that has ended.
    mutating func settle(_ permit: Permit, _ outcome: Outcome, at now: TimeInterval) -> Change {
        guard permit.generation == generation else { return .none }
        switch (phase, outcome) {
        case (.halfOpen, .uncounted): phase = .halfOpen(until: now)
        case (.halfOpen, .success):
            enter(.closed)
            return .closed
        case (.halfOpen, .failure): return open(at: now)
        case (.closed, .success): calls.add(all: 1, marked: 0, at: now)
        case (.closed, .failure):
            calls.add(all: 1, marked: 1, at: now)
            if hasTooManyFailures(at: now) { return open(at: now) }
        case (.closed, .uncounted), (.open, _): break
        }
        return .none
    }

    /// Whether a new circuit would make the same decisions, so that this circuit can be removed.
    mutating func isIdle(at now: TimeInterval) -> Bool { phase == .closed && calls.counts(at: now).all == 0 }

    private mutating func hasTooManyFailures(at now: TimeInterval) -> Bool {
        let counts = calls.counts(at: now)
        return counts.all >= rules.minimumCalls && Double(counts.marked) >= rules.failureShare * Double(counts.all)
    }

    private mutating func open(at now: TimeInterval) -> Change {
        enter(.open(until: now + rules.openTime))
        return .opened
    }

    private mutating func enter(_ phase: Phase) {
        self.phase = phase
        generation += 1
        calls.removeAll()
    }
}
