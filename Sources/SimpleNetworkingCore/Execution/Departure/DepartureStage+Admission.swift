import SimpleNetworkingSupport

/// Waits for everything that holds a request back, and signs it.
extension DepartureStage {
    /// What a request has been through while it waits to be sent.
    private struct Admission {
        var request: TransportRequest
        var turn: (any RequestTurn)?
        var rounds = 0
        /// The number of waits for a credential.
        var credentialWaits = 0
        /// The number of times that user code has prepared the request again, and how often since the last wait.
        var preparations = (all: 0, sinceWait: 0)
        /// How long user code may take the next time; it grows, so that others don't overtake the request without end.
        var patience = KeptTurn.firstPatience

        mutating func noteWait() { preparations.sinceWait = 0 }

        /// The turn, if other requests may wait for it.
        var heldTurn: (any RequestTurn)? { turn.flatMap { $0.holdsOthersBack ? $0 : nil } }

        mutating func note(_ kept: KeptTurn) {
            guard heldTurn != nil, kept.turn == nil else { return }
            turn = nil
            patience *= 10
        }

        mutating func giveTurnBack() { turn.take()?.giveBack() }
    }

    /// The number of times that user code prepares a request again without a wait: it may itself change what it reads.
    private static let mostPreparations = 2
    /// The number of rounds after which a request is sent although the client's settings change without end.
    private static let mostRounds = 20

    /// After each wait, everything is asked again.
    func admit(_ request: TransportRequest) async throws -> Departure {
        var admission = Admission(request: request)
        do {
            while true {
                do {
                    if let signed = try await pass(&admission) {
                        return try departure(of: signed, admission, from: request)
                    }
                } catch {
                    let request = admission.request
                    guard request.continues(after: error) else { throw error }
                    admission.request = plan.withoutUser(request)
                }
            }
        } catch {
            admission.giveTurnBack()
            throw error
        }
    }

    private func departure(
        of signed: TransportRequest,
        _ admission: Admission,
        from request: TransportRequest
    ) throws -> Departure {
        var signed = signer?.sign(signed) ?? signed
        let reactions = try attempt.depart(&signed)
        try Task.checkCancellation()
        let hasChanged = admission.preparations.all > 0 || admission.request.defaults != request.defaults
        let change = hasChanged ? Boxed(RequestChange(from: request, to: admission.request)) : nil
        return Departure(
            request: signed,
            url: admission.request.url,
            turn: admission.turn,
            reactions: reactions,
            change: change
        )
    }

    /// Asks everything that may hold the request back.
    ///
    /// Returns the request with its credential, which hasn't signed it yet, or nil if something has changed meanwhile.
    private func pass(_ admission: inout Admission) async throws -> TransportRequest? {
        admission.rounds += 1
        if isSuspended(admission.request) {
            admission.giveTurnBack()
            try await waitWhileSuspended(admission.request)
            admission.noteWait()
        }
        let (settings, mark) = plan.client.current
        admission.request = plan.withoutFormerUser(admission.request, for: execution)
        try await prepareAgain(&admission, settings, mark)
        if !admission.request.mayBePreparedAgain {
            admission.request = plan.updated(admission.request, with: settings)
        }
        guard let authorized = try await authorize(&admission) else { return nil }
        if try await takeTurn(&admission) {
            admission.noteWait()
            return nil
        }
        // A server may have refused another request since.
        if admission.turn?.isOutdated == true {
            admission.giveTurnBack()
            return nil
        }
        return try isCurrent((settings, mark), authorized, admission) ? authorized : nil
    }

    /// Lets user code prepare the request again if the client's settings have changed since.
    private func prepareAgain(
        _ admission: inout Admission,
        _ settings: SimpleNetworking.Settings,
        _ mark: RefreshState.Mark
    ) async throws {
        guard let former = admission.request.preparation as? Preparation,
            admission.preparations.sinceWait < Self.mostPreparations, former.isOutdated(settings, mark)
        else { return }
        // The second time, the request keeps its turn for some time, as others would overtake it without end.
        if admission.preparations.all == 0 { admission.giveTurnBack() }
        admission.preparations.all += 1
        admission.preparations.sinceWait += 1
        let turn = KeptTurn(plan, admission.heldTurn, patience: admission.patience)
        defer { admission.note(turn) }
        admission.request = try await turn.ask { [plan, request = admission.request] in
            try await plan.prepareAgain(request, former, settings, mark)
        }
    }

    /// Returns the request with the current credential, or nil if that took a wait.
    private func authorize(_ admission: inout Admission) async throws -> TransportRequest? {
        guard let signer else { return admission.request }
        let turn = KeptTurn(plan, admission.heldTurn, patience: admission.patience)
        defer { admission.note(turn) }
        let authorized = try await signer.authorize(admission.request, keeping: turn)
        guard turn.hasWaited else { return authorized }
        admission.credentialWaits += 1
        admission.noteWait()
        return admission.credentialWaits > Self.mostRounds ? authorized : nil
    }

    /// Returns whether the request may be sent with its credential.
    ///
    /// - Throws: `.authentication` if the user has signed out.
    private func isCurrent(
        _ former: (settings: SimpleNetworking.Settings, mark: RefreshState.Mark),
        _ request: TransportRequest,
        _ admission: Admission
    ) throws -> Bool {
        let (current, mark) = plan.client.current
        if isSuspended(request) { return false }
        let isFirm = admission.rounds >= Self.mostRounds
        let preparation = request.preparation as? Preparation
        let mayPrepare = admission.preparations.sinceWait < Self.mostPreparations
        let hasChanged =
            request.mayBePreparedAgain
            ? mayPrepare && preparation?.isOutdated(current, mark) == true
            : (current !== former.settings
                && current.configuration.defaultHeaders != former.settings.configuration.defaultHeaders)
        if hasChanged, !isFirm { return false }
        if let signer { return try signer.isCurrent(mark, for: request, isFirm: isFirm) }
        if request.isUntrusted { return true }
        // The fields of a request that is sent although they have changed are those of this round's beginning.
        let generation = preparation?.generation ?? (hasChanged ? former.mark.generation : nil)
        guard execution.renewCredential(mark.of(generation)) else { throw execution.foreignAccount }
        return true
    }

    /// Waits for a turn, and returns whether that took time.
    private func takeTurn(_ admission: inout Admission) async throws -> Bool {
        for feature in plan.features
        where try await feature.takeTurn(&admission.turn, for: admission.request, attempt) { return true }
        return false
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
}
