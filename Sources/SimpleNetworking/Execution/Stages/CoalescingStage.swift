/// Lets equal requests share one transfer.
///
/// Each request keeps its own handlers, decoding, timeout and cancellation.
struct CoalescingStage: Middleware {
    let plan: RequestPlan
    let execution: Execution
    let departure: DepartureStage
    /// Whether the transfer may have to wait for its turn.
    let mayWait: Bool

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        // Progress belongs to each request, and a hedge would wait for the transfer that it should overtake.
        guard request.isRead, request.progress == nil, !request.isHedge else { return try await next(request) }
        let transfers = plan.client.transfers
        let key = SharedTransfer.Key(
            try await departure.preview(request),
            account: execution.account?.number,
            cookies: plan.engine.addedCookies(request.url),
            change: plan.settings.configuration.cache?.change
        )
        let sharer = SharedTransfer.Sharer { [execution] in execution.suspension() }
        let priority = mayWait ? plan.specification.priority : nil
        let (transfer, isNew) = transfers.join(key, sharer, priority) { SharedTransfer(key, priority, plan.clock) }
        if isNew {
            // The caller that started it may leave or be suspended, and the others have their own timeouts.
            var request = request
            request.timeout = .infinity
            request.suspension = nil
            request.shared = transfer
            transfer.run(on: plan.scheduler, next, request) { transfers.remove(transfer, of: key) }
        } else {
            execution.record(.joined(request.head))
            request.onActivity?()
        }
        let joined = plan.clock.now
        let waiter = transfer.add()
        let cancelTimer = transfer.limit(waiter, to: request.timeout, request.head)
        defer {
            cancelTimer()
            transfers.leave(transfer, of: key, sharer)
        }
        let response = try await waiter.value()
        if isNew { return response }
        execution.noteWait(max(transfer.begun - joined, 0))
        execution.record(.received(status: response.httpStatus, bytes: response.data.count))
        return response
    }
}
