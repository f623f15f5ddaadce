import SimpleNetworkingFeatureSupport

/// Lets equal requests share one transfer.
///
/// Each request keeps its own handlers, decoding, timeout and cancellation.
struct CoalescingStage: Middleware {
    let attempt: Attempt
    /// Whether the transfer may have to wait for its turn.
    private let mayWait: Bool
    private let transfers: SharedTransfers

    init(attempt: Attempt) {
        self.attempt = attempt
        mayWait = !attempt[TrafficFeature.self].areOff && !attempt.isUrgent
        transfers = attempt.transfers
    }

    /// A request's part in a transfer.
    private struct Share {
        let transfer: SharedTransfer
        let sharer: SharedTransfer.Sharer
        let isNew: Bool
    }

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        // Progress belongs to each request, and a duplicate would wait for the transfer that it should overtake.
        guard request.isRead, request.progress == nil, !request.isDuplicate, !attempt.hasOwnNetwork
        else { return try await next(request) }
        let asked = request
        var request = request
        var former: Share?
        defer { if let former { transfers.leave(former.transfer, former.sharer) } }
        while true {
            let generation = attempt.generation
            let shown = try await attempt.update(&request)
            // The transfer has a task of its own, which would begin before it is cancelled, too.
            try Task.checkCancellation()
            let share = join(key(of: shown), request)
            // Only now, because the last request that leaves a transfer cancels it, and this one may join it again.
            if let former { transfers.leave(former.transfer, former.sharer) }
            if share.isNew { start(share, request, shown, generation, next) }
            if !share.isNew {
                if former?.transfer !== share.transfer { attempt.record(.note(TrafficStep.joined(request.head))) }
                // A transfer that was sent otherwise can't be joined any more.
                if share.transfer.isSent {
                    let age = attempt.clock.now - share.transfer.begun
                    request.onDeparture?(SentRequest(signed: shown, url: request.url, age: age))
                }
            }
            former = share
            if var response = try await response(of: share, to: request) {
                response.noteChange(from: asked, to: request, isOwn: share.isNew)
                return response
            }
        }
    }

    /// Waits for the response to the request, or returns nil if the transfer isn't the request's any more.
    private func response(of share: Share, to request: TransportRequest) async throws -> TransportResponse? {
        let joined = attempt.clock.now
        let cancelTimer = share.transfer.limit(share.sharer, to: request.timeout, request.head) { [transfers] in
            transfers.close(share.transfer)
        }
        defer { cancelTimer() }
        let response: TransportResponse?
        do { response = try await share.sharer.response() } catch {
            if !share.isNew, let head = share.transfer.failedHead.withLock(\.self) { attempt.note(failedHead: head) }
            throw error
        }
        if share.isNew { return response }
        attempt.noteWait(max(share.transfer.begun - joined, 0))
        if let response {
            attempt.record(.received(status: response.httpStatus, bytes: response.data.count))
        }
        return response
    }

    private func join(_ key: SharedTransfer.Key, _ request: TransportRequest) -> Share {
        let sharer = SharedTransfer.Sharer(
            suspension: { [attempt] in attempt.suspension },
            of: request
        )
        let priority = mayWait ? attempt[PriorityFeature.self] : nil
        let (transfer, isNew) = transfers.join(key, sharer, priority, attempt.clock)
        return Share(transfer: transfer, sharer: sharer, isNew: isNew)
    }

    /// Starts the transfer with this request.
    private func start(
        _ share: Share,
        _ request: TransportRequest,
        _ shown: TransportRequest,
        _ generation: CredentialGeneration,
        _ next: @escaping Next
    ) {
        let transfer = share.transfer
        var sent = request
        // The caller that started it may leave or be suspended, and the others have their own timeouts.
        sent.timeout = .infinity
        sent.suspension = nil
        sent.onDeparture = nil
        sent.shared = SharedRequest(transfer: transfer, stage: self, shown: shown, generation: generation, of: request)
        if request.onActivity != nil { sent.onActivity = { [weak transfer] in transfer?.noteActivity() } }
        transfer.run(on: attempt.scheduler, end: { [transfers] in transfers.close(transfer) }) { [sent, attempt] in
            do { return try await next(sent) } catch {
                transfer.failedHead.withLock { $0 = attempt.failedHead }
                throw error
            }
        }
    }

    // MARK: What a request is

    /// Returns what another request must equal to share a transfer with the request, which is signed.
    fileprivate func key(of request: TransportRequest) -> SharedTransfer.Key {
        SharedTransfer.Key(request, attempt.sharedFacts(of: request))
    }

    fileprivate func depart(_ transfer: SharedTransfer, with request: TransportRequest) {
        transfers.depart(transfer, as: key(of: request), at: attempt.clock.now)
        transfer.noteActivity()
    }
}

/// What a shared transfer sends, as the request that has started it knows it.
private struct SharedRequest: SharedSending {
    let transfer: SharedTransfer
    private let stage: CoalescingStage
    /// The request as it was when others could join it.
    private let shown: TransportRequest
    /// The generation of the credential that it had then.
    private let generation: CredentialGeneration
    /// The names of the fields that the authenticator has set.
    private let signature: [String]

    init(
        transfer: SharedTransfer,
        stage: CoalescingStage,
        shown: TransportRequest,
        generation: CredentialGeneration,
        of request: TransportRequest
    ) {
        self.transfer = transfer
        self.stage = stage
        self.shown = shown
        self.generation = generation
        signature = shown.headers.names.filter { name in
            !name.isSameFieldName(as: "Cookie") && shown.headers[name] != request.headers[name]
        }
    }

    var isSuspended: Bool { transfer.isSuspended }

    func waitWhileSuspended() async throws { try await transfer.waitWhileSuspended() }

    func noteTurn(_ departed: TransportRequest) {
        var sent = departed
        // A signature may differ each time, although the credential is the same.
        if stage.attempt.generation == generation {
            for name in signature { sent.headers[name] = shown.headers[name] }
        }
        stage.depart(transfer, with: sent)
        transfer.noteDeparture(departed)
    }
}
