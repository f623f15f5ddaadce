import SimpleNetworkingSupport

/// Delivers the content that `succeed(with:)` provides to the request's file or reader.
extension Execution {
    /// Delivers the content of a response, and then continues with it.
    func provide(_ response: SimpleResponse) {
        update { $0.cancelTask() }
        let (request, settings, round) = state.withLock { ($0.request, $0.lastSettings, $0.machine.round) }
        guard let request, let settings else { return }
        let specification = request.withLock { $0.current }
        let task = Task.start(on: settings.configuration.scheduler) { [self] in
            let content = ProvidedContent(response: response, specification, settings) { [self] commit in
                state.withLock { $0.machine.hold(commit, of: round, isProvided: true) }
            }
            do {
                receive(.success(try await content.deliver()))
            } catch {
                receive(.failure(SimpleNetworkingError(error, head: response.request, response: response)))
            }
        }
        let isAwaited = state.withLock { state in
            if state.machine.isDelivering { state.attempt.task = task }
            return state.machine.isDelivering
        }
        // The request was cancelled, or has its content already.
        if !isAwaited { task.cancel() }
    }

    private func receive(_ result: Outcome) {
        let now = clock.now
        deliver { state in
            guard state.machine.isDelivering else { return false }
            state.attempt.task = nil
            switch result {
            case .success(let response): state.machine.receive(provided: response)
            case .failure: _ = state.end(result, at: now)
            }
            return true
        }
    }
}

/// The content of a response that a handler has made, or has got in memory.
private struct ProvidedContent {
    let response: SimpleResponse
    private let specification: RequestSpecification
    private let configuration: SimpleNetworking.Configuration
    private let keep: @Sendable (Commit) -> Bool

    init(
        response: SimpleResponse,
        _ specification: RequestSpecification,
        _ settings: SimpleNetworking.Settings,
        keep: @escaping @Sendable (Commit) -> Bool
    ) {
        self.response = response
        self.specification = specification
        configuration = settings.configuration
        self.keep = keep
    }

    /// Returns the response without its content, which was delivered.
    func deliver() async throws -> SimpleResponse {
        let destination = specification.destination
        // The time to wait until an earlier transfer leaves the file.
        let timeout = specification.timeout ?? configuration.timeout
        var request = TransportRequest(head: response.request, timeout: timeout)
        let content = ContentStage(
            to: destination,
            delivering: HTTPStatuses([response.httpStatus]),
            arrival: Locked(.none)
        )
        let received = TransportResponse(response)
        let delivered: TransportResponse
        switch destination {
        case .memory: return response
        case .receiver(let receiver):
            guard receiver.canBeginAgain() else {
                // Without content, the stream just ends.
                if response.data.isEmpty { return response }
                throw SimpleNetworkingError.partlyDelivered(response.request)
            }
            request.sink = .stream(receiver.receive)
            delivered = try await content.intercept(request) { _ in received }
        case .other:
            guard let store = destination.store, try !store.isCurrent(by: response) else { return response }
            let options = configuration.options.replaced(by: specification.options)
            let stage = store.stage(for: Delivery(clock: configuration.clock, options: options, keep: keep))
            delivered = try await stage.intercept(request) { try await content.intercept($0) { _ in received } }
        }
        // Its content was refused because of its type, and so wasn't received.
        guard delivered.isDelivered else {
            let types = specification.acceptableTypes?.types ?? []
            throw SimpleNetworkingError.unacceptableContentType(acceptable: types, response)
        }
        return SimpleResponse(
            request: response.request,
            parts: delivered.parts,
            attempt: response.attempt,
            acceptableStatuses: response.acceptableStatuses
        )
    }
}
