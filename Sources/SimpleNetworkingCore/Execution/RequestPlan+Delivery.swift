import SimpleNetworkingSupport

/// Delivers content that is in memory to the request's file or reader.
extension RequestPlan {
    /// Passes a response through the stages that handle content, without the network.
    func deliver(
        _ response: TransportResponse,
        to request: TransportRequest,
        through content: ContentStage,
        for execution: Execution
    ) async throws -> TransportResponse {
        let deliver: Middleware.Next = { try await content.intercept($0) { _ in response } }
        let report: Middleware.Next = { [progress] request in
            guard let progress else { return try await deliver(request) }
            return try await ProgressStage(report: progress, execution: execution).intercept(request, next: deliver)
        }
        guard let store = destination.store else { return try await report(request) }
        let delivery = Delivery(of: Attempt(plan: self, execution: execution), mayContinue: false)
        return try await store.stage(for: delivery).intercept(request, next: report)
    }

    /// Delivers the content of the final response, whatever its status, unless it was delivered.
    ///
    /// A 304 leaves the file as it is, because it says that the file is current.
    func deliverFinal(
        _ response: SimpleResponse,
        to request: TransportRequest,
        for execution: Execution
    ) async throws -> SimpleResponse {
        if response.isDelivered {
            try execution.checkCommit(of: response, to: destination)
            return response
        }
        // Middleware may have replaced the failure of a response that was partly handed over.
        guard destination.canBeginAgain else { throw SimpleNetworkingError.partlyDelivered(response.request) }
        var request = request
        request.head = response.request
        if let store = destination.store, try store.isCurrent(by: response) { return response }
        let statuses = HTTPStatuses([response.httpStatus])
        let content = ContentStage(plan: self, arrival: Locked(.none), delivering: statuses)
        let received = TransportResponse(response)
        let delivered = try await deliver(received, to: request, through: content, for: execution)
        return seen(delivered, to: response.request, attempt: response.attempt)
    }
}
