/// Sends a request when nothing holds it back any more, with the facts of that moment.
///
/// This is the last stage above the transport: whatever a request waits for, it waits here or further up. Therefore, it
/// carries the credential, the cookies and the client's header fields of the moment when it is sent, and isn't sent if
/// its user has signed out meanwhile.
struct DepartureStage: Middleware {
    let plan: RequestPlan
    let execution: Execution
    let signer: (any RequestSigner)?
    let jar: CookieJar?
    /// Whether other requests wait for this one, which therefore doesn't wait for its turn.
    let isUrgent: Bool

    private var rules: TrafficRules { plan.settings.configuration.traffic }
    private var gate: TrafficGate { plan.client.gate }

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        let start = plan.clock.now
        let departure = try await admit(request)
        let now = plan.clock.now
        if now > start { execution.noteWait(now - start) }
        request.shared?.noteTurn(departure.request)
        return try await send(departure, next)
    }

    /// Returns the request as it would be sent now, which tells whose it is.
    ///
    /// The cache and equal requests in flight are asked before the request waits for anything.
    func preview(_ request: TransportRequest) async throws -> TransportRequest {
        var shown = try await signer?.preview(request) ?? request
        _ = try addCookies(to: &shown)
        return shown
    }

    // MARK: Waiting

    /// A request that nothing holds back any more.
    struct Departure {
        let request: TransportRequest
        let turn: Turn
        /// The generation of the cookies that it carries; nil if its response's cookies aren't stored.
        let cookies: Int?
    }

    /// A request's permission to be sent, according to the traffic rules.
    struct Turn {
        var lane: TrafficQueue.Lane?
        var slot: TrafficGate.Slot?

        mutating func giveBack() { slot.take()?.giveBack(after: .unsent) }
    }

    /// Waits for everything that holds the request back, and signs it.
    ///
    /// After each wait, everything is asked again.
    private func admit(_ request: TransportRequest) async throws -> Departure {
        var request = request
        var turn = Turn()
        // User code is asked again after a wait, and once without: it may itself change what it is asked for.
        var mayPrepare = true
        var rounds = 0
        var refreshes = 0
        do {
            while true {
                rounds += 1
                if isSuspended(request) {
                    turn.giveBack()
                    try await waitWhileSuspended(request)
                    mayPrepare = true
                }
                let (settings, mark) = plan.client.current
                request = plan.withoutFormerUser(request, for: execution)
                if let preparation = request.preparation as? Preparation {
                    if mayPrepare, preparation.isOutdated(settings, mark) {
                        mayPrepare = false
                        turn.giveBack()
                        request = try await plan.prepareAgain(request, preparation, settings, mark)
                    }
                }
                if request.preparation == nil { request = plan.updated(request, with: settings) }
                var signed = request
                if let signer {
                    signed = try await signer.sign(request) {
                        // The second time, the token is too short-lived for another wait.
                        if refreshes == 0 { turn.giveBack() }
                        refreshes += 1
                    }
                }
                if try await takeTurn(&turn, for: request) {
                    mayPrepare = true
                    continue
                }
                let isFirm = rounds >= Self.mostRounds
                guard try isCurrent(settings, signed, isFirm: isFirm) else { continue }
                let cookies = try addCookies(to: &signed)
                try Task.checkCancellation()
                return Departure(request: signed, turn: turn, cookies: cookies)
            }
        } catch {
            turn.giveBack()
            throw error
        }
    }

    /// The number of rounds after which a request is sent although the client's settings change without end.
    private static let mostRounds = 20

    /// Returns whether the request may be sent as it was signed.
    ///
    /// With `isFirm`, changes of the settings don't matter any more.
    ///
    /// - Throws: `.authentication` if the user has signed out.
    private func isCurrent(
        _ settings: SimpleNetworking.Settings,
        _ request: TransportRequest,
        isFirm: Bool
    ) throws -> Bool {
        let (current, mark) = plan.client.current
        if isSuspended(request) { return false }
        let hasChanged =
            current !== settings && request.preparation == nil
            && current.configuration.defaultHeaders != settings.configuration.defaultHeaders
        if hasChanged, !isFirm { return false }
        if let signer { return try signer.isCurrent(mark, for: request) || isFirm }
        if request.isUntrusted { return true }
        let generation = (request.preparation as? Preparation)?.generation
        guard execution.renewCredential(mark.of(generation)) else { throw execution.foreignAccount }
        return true
    }

    /// Waits for a slot, and returns whether that took time.
    private func takeTurn(_ turn: inout Turn, for request: TransportRequest) async throws -> Bool {
        guard !rules.areOff, turn.slot == nil, let origin = Origin(request.url) else { return false }
        let lane = TrafficQueue.Lane(origin: origin, account: execution.account?.number)
        turn.lane = lane
        // Others wait for it, but a server's word is meant for every request.
        if isUrgent { return try await gate.waitForServer(of: lane) }
        let slot = try await gate.enter(lane, request.head, queueing(request)) { execution.record($0) }
        execution.noteTurn(hasWaited: slot.waited != nil)
        turn.slot = slot
        return slot.waited != nil
    }

    private func queueing(_ request: TransportRequest) -> TrafficGate.Turn {
        // A hedge is a request of its own.
        let isAgain = execution.hasHadTurn && !request.isHedge
        return .init(priority: plan.specification.priority, since: execution.turnStart, isAgain: isAgain)
    }

    /// A transfer that several requests share is suspended when all of them are.
    private func isSuspended(_ request: TransportRequest) -> Bool {
        request.shared?.isSuspended ?? execution.isSuspended
    }

    private func waitWhileSuspended(_ request: TransportRequest) async throws {
        // The user may change while the request waits.
        if let signer { try await signer.noteAccount(for: request) }
        if let shared = request.shared {
            try await shared.waitWhileSuspended()
        } else {
            try await execution.waitWhileSuspended()
        }
        signer?.noteSuspension()
    }

    // MARK: Sending

    /// Adds the jar's cookies, and returns their generation; nil if they belong to another user.
    ///
    /// - Throws: `.authentication` if they do, except after a redirect: then the request goes on without cookies.
    func addCookies(to request: inout TransportRequest) throws -> Int? {
        guard let jar else { return nil }
        let contents = jar.contents(for: request.url)
        // The former user may have sent an earlier attempt, or the previous page.
        guard execution.belongs(toCookieUser: contents.user) else {
            if request.isRedirected { return nil }
            throw execution.foreignAccount
        }
        let own = request.headers["Cookie"]
        let ownNames = (own ?? "").pieces(between: ";").map { $0.parts(at: "=").before.trimmed }
        let pairs = contents.cookies.filter { !ownNames.contains($0.name) }.map(\.pair)
        if !pairs.isEmpty { request.headers["Cookie"] = (pairs + [own].compactMap { $0 }).joined(separator: "; ") }
        return contents.generation
    }

    private func send(_ departure: Departure, _ next: Next) async throws -> TransportResponse {
        var request = departure.request
        // A transport may keep the request, which must not keep what belongs to the client.
        request.preparation = nil
        request.shared = nil
        let head = receiver(for: departure)
        if case .stream(let receive) = request.sink {
            request.sink = .stream { part in
                if case .head(let status, let headers) = part { head.receive(status, headers) }
                try await receive(part)
            }
        }
        do {
            var response = try await next(request)
            head.receive(response.httpStatus, response.headers, isComplete: true)
            response.note(departure.request)
            return response
        } catch let refused as ContentDelivery.Refused {
            head.receive(refused.response.httpStatus, refused.response.headers, isComplete: true)
            throw refused
        } catch let refusal as CircuitBreaker.Refusal {
            departure.turn.slot?.giveBack(after: .unsent)
            throw refusal
        } catch {
            head.fail()
            throw error
        }
    }

    func receiver(for departure: Departure) -> HeadReceiver {
        // The reader of a stream may itself send requests, or never reach the end.
        let leavesAtHead = if case .receiver = plan.destination { true } else { false }
        return HeadReceiver(
            cookies: departure.cookies.flatMap { generation in jar.map { ($0, generation) } },
            url: departure.request.url,
            slot: departure.turn.slot,
            lane: departure.turn.lane,
            gate: rules.heedsServer ? gate : nil,
            leavesAtHead: leavesAtHead
        )
    }
}
