/// A request's state, apart from the request itself: it outlives the request's last owner, and then tells the handlers
/// that the request was abandoned.
final class RequestCore: Sendable {
    let state: Locked<RequestState>
    let log: EventLog

    init(_ state: RequestState, log: EventLog = EventLog()) {
        self.state = Locked(state)
        self.log = log
    }

    /// Fixes the outcome, if none is fixed yet, and lets the handlers hear of it.
    ///
    /// - Parameters:
    ///   - epoch: The start whose end this is; nil for whoever may end any.
    ///   - request: The request, which status handlers and a new execution need; nil if it is gone.
    func end(_ outcome: Completion.Outcome, epoch: Int?, for request: SimpleRequest?) {
        end(with: outcome, for: request) { $0.end(epoch: epoch) }
    }

    func cancel(_ request: SimpleRequest) {
        let (head, copies) = state.withLock { ($0.head, $0.copies.compactMap(\.request)) }
        end(with: .failure(.cancelled(head)), for: request) { $0.cancel() }
        for copy in copies { copy.cancel() }
    }

    private func end(
        with outcome: Completion.Outcome,
        for request: SimpleRequest?,
        if transition: (inout ExecutionState) -> Bool
    ) {
        typealias Leftovers = (task: Task<Void, Never>?, timers: [(@Sendable () -> Void)?])
        let leftovers: Leftovers? = state.withLock { state in
            guard transition(&state.execution) else { return nil }
            defer { state.end(with: outcome) }
            return (state.task, [state.cancelDelay, state.cancelDeadline])
        }
        guard let leftovers else { return }
        switch outcome {
        case .success(let response): log.record(.ended(.success(status: response.httpStatus)))
        case .failure(let error): log.record(.ended(.failure(error)))
        }
        leftovers.task?.cancel()
        for cancel in leftovers.timers { cancel?() }
        wake(request)
    }

    /// A status handler returned false and nobody is left: `abandoned` is the end. Called by the request's `deinit`.
    func abandon() {
        let (isActive, head, response) = state.withLock { ($0.execution.isActive, $0.head, $0.response) }
        if isActive { end(.failure(.abandoned(head, response)), epoch: nil, for: nil) }
    }

    /// Lets the handlers run whose turn it is. They never overlap: if some are on their way, they take the rest along.
    func wake(_ request: SimpleRequest?) {
        let isFirst = state.withLock { state in
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        if isFirst { Delivery.run { self.nextStep(for: request) } }
    }

    func ignore(_ reason: String) {
        log.record(.ignored(reason))
        let (settings, specification) = state.withLock { ($0.settings, $0.specification) }
        (settings?.logger ?? .standardError).log(.warning, "\(specification): \(reason).")
    }
}

extension RequestCore {
    private func nextStep(for request: SimpleRequest?) -> Delivery.Step? {
        while true {
            let (next, queue, context) = state.withLock { ($0.next(), $0.callbackQueue, $0.lineageContext) }
            switch next {
            case .status(let handler, let response, let epoch):
                return Delivery.Step(place: handler.place(queue: queue)) {
                    if let request { self.run(handler, on: response, of: request, epoch: epoch) }
                }
            case .decide(let response, let epoch):
                end(response.error.map { .failure($0) } ?? .success(response), epoch: epoch, for: request)
            case .outcome(let handler, let outcome):
                return Delivery.Step(place: handler.place(queue: queue)) {
                    Lineage.run(in: context) { self.run(handler, on: outcome) }
                }
            case .ended(let completion, let outcome, let resubmits):
                if let outcome { completion?.finish(outcome) }
                if resubmits, let request { request.resubmit() }
                return nil
            case .pause: return nil
            }
        }
    }

    private func run(_ handler: RequestHandler, on response: SimpleResponse, of request: SimpleRequest, epoch: Int) {
        // The handler before it may have retried or ended the request.
        guard case .status(_, let status) = handler,
            let family = state.withLock({ $0.familyWhileHandling(epoch: epoch) })
        else { return }
        var goesOn = true
        log.record(description(of: handler)) {
            Lineage.run(in: Lineage.Context(family: family, isStatusHandler: true)) {
                goesOn = status.body(request, response)
            }
            return goesOn
        }
        if !goesOn { state.withLock { _ = $0.execution.handOver(epoch: epoch) } }
    }

    private func run(_ handler: RequestHandler, on outcome: Completion.Outcome) {
        log.record(description(of: handler)) {
            switch (handler, outcome) {
            case (.success(let success), .success(let response)): success.body(response)
            case (.error(let handler), .failure(let error)):
                handler.body(error, error.response ?? state.withLock(\.response))
            case (.completion(let completion), _): completion.body(outcome)
            default: break
            }
            return nil
        }
    }

    private func description(of handler: RequestHandler) -> HandlerRun {
        HandlerRun(
            kind: handler.kind,
            fileID: "\(handler.source.fileID)",
            line: Int(handler.source.line),
            place: handler.place(queue: state.withLock(\.callbackQueue)).description
        )
    }
}

extension RequestState {
    fileprivate var callbackQueue: DispatchQueue {
        specification.callbackQueue ?? settings?.callbackQueue ?? .main
    }

    /// What surrounds handlers other than status handlers: only those of a descendant belong to the family.
    fileprivate var lineageContext: Lineage.Context? {
        guard isDescendant, let family else { return nil }
        return Lineage.Context(family: family, isStatusHandler: false)
    }

    fileprivate mutating func familyWhileHandling(epoch: Int) -> Lineage? {
        guard execution.phase == .handling, execution.epoch == epoch else { return nil }
        let family = family ?? Lineage(limit: (settings?.maxRetries ?? 0) + 1)
        self.family = family
        return family
    }
}
