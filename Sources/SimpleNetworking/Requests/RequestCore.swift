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
    ///   - outcome: The outcome.
    ///   - epoch: The start whose end this is; nil for whoever may end any.
    ///   - isSilent: Whether success and error handlers are left out.
    func end(_ outcome: Completion.Outcome, epoch: Int? = nil, isSilent: Bool = false) {
        end(with: outcome, isSilent: isSilent) { $0.end(epoch: epoch) }
    }

    func cancel() {
        let (head, copies) = state.withLock { ($0.head, $0.copies.compactMap(\.core)) }
        end(with: .failure(.cancelled(head))) { $0.cancel() }
        for copy in copies { copy.cancel() }
    }

    private func end(
        with outcome: Completion.Outcome,
        isSilent: Bool = false,
        if transition: (inout ExecutionState) -> Bool
    ) {
        typealias Timer = (@Sendable () -> Void)?
        typealias Leftovers = (task: Task<Void, Never>?, delay: Timer, deadline: Timer)
        let leftovers: Leftovers? = state.withLock { state in
            guard transition(&state.execution) else { return nil }
            defer { state.end(with: outcome, isSilent: isSilent) }
            return (state.task, state.cancelDelay, state.cancelDeadline)
        }
        guard let leftovers else { return }
        switch outcome {
        case .success(let response): log.record(.ended(.success(status: response.httpStatus)))
        case .failure(let error): log.record(.ended(.failure(error)))
        }
        leftovers.task?.cancel()
        leftovers.delay?()
        leftovers.deadline?()
        wake(holding: nil)
    }

    /// An owner has gone.
    ///
    /// If nobody can go on with the request any more, it is abandoned.
    func release(ticket: Int?) {
        let (isAbandoned, isForgotten, head, response) = state.withLock { state in
            state.owners -= 1
            return (state.isAbandoned(byLosing: ticket), state.isForgotten, state.head, state.response)
        }
        if isAbandoned { end(.failure(.abandoned(head, response))) }
        if isForgotten {
            let site = state.withLock { $0.specification.site }
            ignore(
                "it has handlers but was never executed; call execute(on:), or pass it to send(_:) "
                    + "(made at \(site.fileID):\(site.line))"
            )
        }
    }

    /// Lets the handlers run whose turn it is.
    ///
    /// They never overlap: if some are on their way, they take the rest along.
    ///
    /// - Parameters:
    ///   - owner: Whoever keeps the request from being abandoned while status handlers look at its response.
    ///   - place: Where this is called, if that is where content may be decoded.
    func wake(holding owner: SimpleRequest?, from place: HandlerPlace? = nil) {
        let isFirst = state.withLock { state in
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        if isFirst { Delivery.run(self, from: place, holding: owner) }
    }

    func ignore(_ reason: String) {
        log.record(.ignored(reason))
        let (settings, specification) = state.withLock { ($0.settings, $0.specification) }
        let text = "\(specification): \(reason)."
        (settings?.logger ?? .system).log(.warning, settings?.memory.hide(in: text) ?? text)
    }
}

extension RequestState {
    /// Says whether handlers were added for nothing: no owner is left who could execute the request or a copy of it.
    fileprivate var isForgotten: Bool { owners == 0 && !handlers.isEmpty && execution.isUntouched && !isPattern }

    /// Says whether nobody is left who could go on with an unfinished request: it has no owner, or the one to whom a
    /// status handler gave it has forgotten it, though the caller may still hold it, for example to cancel it.
    fileprivate func isAbandoned(byLosing ticket: Int?) -> Bool {
        guard execution.isActive else { return false }
        if owners == 0 { return true }
        guard let ticket, execution.phase == .handedOver else { return false }
        return ticket == ticketInHand
    }
}
