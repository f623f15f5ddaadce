import SimpleNetworkingFeatureSupport

/// Holds requests back as a client's rules say, and lets equal ones share a transfer.
enum TrafficFeature: Feature {
    static let defaultValue = TrafficRules()

    static let order = 20

    static func stage(at place: StagePlace, for attempt: Attempt) -> (any Middleware)? {
        let rules = attempt[Self.self]
        switch place {
        case .connection: return rules.waitsForConnectivity ? ConnectivityStage(attempt: attempt) : nil
        // A request that decides for itself has the other feature.
        case .joining: return rules.coalesces ? CoalescingFeature.stage(orIfUndecided: true, for: attempt) : nil
        case .split, .lookUp, .content: return nil
        }
    }

    static func givesTurns(_ rules: TrafficRules) -> Bool { !rules.areOff }

    static func takeTurn(
        _ turn: inout (any RequestTurn)?,
        for request: TransportRequest,
        _ attempt: Attempt
    ) async throws -> Bool {
        let rules = attempt[Self.self]
        guard !rules.areOff, turn?.holdsOthersBack != true, let origin = Origin(request.url) else { return false }
        let gate = attempt.gate
        let lane = TrafficQueue.Lane(origin: origin, account: attempt.account)
        let hintGate = rules.respectsRateLimits ? gate : nil
        // Others wait for it, but a server's word is meant for every request.
        if attempt.isUrgent {
            turn = TrafficTurn(lane, nil, hintGate)
            return try await gate.waitForRateLimit(of: lane)
        }
        // A duplicate is a request of its own.
        let isAgain = attempt.hasHadTurn && !request.isDuplicate
        let queueing = TrafficGate.Turn(
            priority: attempt[PriorityFeature.self],
            since: attempt.turnStart,
            isAgain: isAgain
        )
        let slot = try await gate.enter(lane, request.head, queueing) { attempt.record(.note($0)) }
        attempt.noteTurn(hasWaited: slot.waited != nil)
        turn = TrafficTurn(lane, slot, hintGate)
        return slot.waited != nil
    }

    // The client has given up on connecting, and a policy doesn't begin that again.
    static func hasGivenUp(after error: SimpleNetworkingError, with rules: TrafficRules) -> Bool {
        rules.waitsForConnectivity && Connection.isImpossible(after: error)
    }

    /// Takes a 403 with `Retry-After`, as of GitHub's secondary rate limit, for a 429.
    static func isLimit(_ status: Int, _ headers: HTTPHeaders, with rules: TrafficRules) -> Bool {
        rules.respectsRateLimits && status == 403 && headers.retryAfter() != nil
    }
}

/// Lets a request decide whether it shares a transfer.
enum CoalescingFeature: Feature {
    static let defaultValue: Bool? = nil

    static let order = 21

    static func stage(at place: StagePlace, for attempt: Attempt) -> (any Middleware)? {
        place == .joining ? stage(orIfUndecided: false, for: attempt) : nil
    }

    fileprivate static func stage(orIfUndecided isUndecided: Bool, for attempt: Attempt) -> (any Middleware)? {
        guard attempt[Self.self] == (isUndecided ? nil : true) else { return nil }
        return CoalescingStage(attempt: attempt)
    }
}

/// Orders the requests that wait, and tells URLSession.
enum PriorityFeature: Feature {
    static let defaultValue = RequestPriority.normal

    static let order = 22

    static func depart(_ request: inout TransportRequest, for attempt: Attempt) throws -> HeadReaction? {
        switch attempt[Self.self] {
        case .low: request.taskPriority = 0.25
        case .normal: break
        case .high: request.taskPriority = 0.75
        }
        return nil
    }
}

/// Limits the share of requests that may be retries.
enum RetryAllowanceFeature: Feature {
    static let defaultValue: RetryAllowance? = nil

    static let order = 23

    static func noteSent(for attempt: Attempt) { attempt[Self.self]?.noteRequest(at: attempt.clock.now) }

    static func takeRetry(for attempt: Attempt) -> Bool {
        if attempt[Self.self]?.takeRetry(at: attempt.clock.now) ?? true { return true }
        attempt.record(.note(TrafficStep.retryRefused))
        return false
    }
}

extension Attempt {
    /// What lets the client's requests wait.
    var gate: TrafficGate {
        service(TrafficGate.self) { TrafficGate(self[TrafficFeature.self], clock) }
    }

    /// The client's transfers that requests may join.
    var transfers: SharedTransfers { service(SharedTransfers.self) { SharedTransfers() } }
}

extension SimpleNetworking.Configuration {
    /// The limits on the number and the rate of requests; by default, there are no limits.
    public var traffic: TrafficRules {
        get { self[TrafficFeature.self] }
        set { self[TrafficFeature.self] = newValue }
    }

    /// The limit on retries, as a share of the client's requests.
    ///
    /// The default is nil, which means no limit.
    public var retryAllowance: RetryAllowance? {
        get { self[RetryAllowanceFeature.self] }
        set { self[RetryAllowanceFeature.self] = newValue }
    }
}

extension SimpleRequest {
    /// Sets the priority of the request while it waits to be sent; the default is `.normal`.
    ///
    /// Requests wait only if `$0.traffic` sets limits. The client also passes the
    /// priority to URLSession as a hint.
    @discardableResult public func priority(_ priority: RequestPriority) -> Self {
        option(PriorityFeature.self, priority)
    }

    /// Sets whether the request may share the transfer of an equal request in flight.
    ///
    /// The default is the value of the client's ``TrafficRules/coalesces``.
    @discardableResult public func coalesced(_ coalesces: Bool = true) -> Self {
        option(CoalescingFeature.self, coalesces)
    }
}

extension AlarmLabel {
    /// The delay before a request is sent a second time; see ``Hedging``.
    public static let hedge = AlarmLabel(rawValue: "hedge")
    /// The wait until the client's limits allow the next request.
    public static let traffic = AlarmLabel(rawValue: "traffic")
}
