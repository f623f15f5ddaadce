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
    func end(_ outcome: Completion.Outcome, epoch: Int? = nil) {
        end(with: outcome) { $0.end(epoch: epoch) }
    }

    func cancel() {
        let (head, copies) = state.withLock { ($0.head, $0.copies.compactMap(\.core)) }
        end(with: .failure(.cancelled(head))) { $0.cancel() }
        for copy in copies { copy.cancel() }
    }

    private func end(with outcome: Completion.Outcome, if transition: (inout ExecutionState) -> Bool) {
        typealias Timer = (@Sendable () -> Void)?
        typealias Leftovers = (task: Task<Void, Never>?, delay: Timer, deadline: Timer)
        let leftovers: Leftovers? = state.withLock { state in
            guard transition(&state.execution) else { return nil }
            defer { state.end(with: outcome) }
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
        let (isAbandoned, head, response) = state.withLock { state in
            state.owners -= 1
            return (state.isAbandoned(byLosing: ticket), state.head, state.response)
        }
        if isAbandoned { end(.failure(.abandoned(head, response))) }
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
        (settings?.logger ?? .system).log(.warning, "\(specification): \(reason).")
    }
}

extension RequestCore: DeliverySource {
    enum Step {
        case decode(Int, ValueHandler, SimpleResponse?, epoch: Int)
        case notice(RequestHandler, RequestEvent.Kind, Lineage.Context?)
        case status(RequestHandler, SimpleResponse, epoch: Int)
        case page(RequestHandler, epoch: Int, Lineage.Context?)
        case outcome(RequestHandler, Completion.Outcome, Lineage.Context?)
    }

    func nextStep() -> (Step, HandlerPlace)? {
        while true {
            let (next, queue, context) = state.withLock { ($0.next(), $0.callbackQueue, $0.lineageContext) }
            switch next {
            case .decode(let index, let handler, let response, let epoch):
                return (.decode(index, handler, response, epoch: epoch), .pool)
            case .notice(let handler, let event):
                return (.notice(handler, event, context), handler.place(queue: queue))
            case .status(let handler, let response, let epoch):
                return (.status(handler, response, epoch: epoch), handler.place(queue: queue))
            case .page(let handler, let epoch):
                return (.page(handler, epoch: epoch, context), handler.place(queue: queue))
            case .turn(let number):
                log.recordPage(number)
                state.withLock { $0.client }?.execute(request: SimpleRequest(self))
                return nil
            case .decide(let outcome, let epoch): end(outcome, epoch: epoch)
            case .outcome(let handler, let outcome):
                return (.outcome(handler, outcome, context), handler.place(queue: queue))
            case .undecodable(let error): ignore("a handler that came after the end has no value: \(error)")
            case .ended(let completion, let outcome, let resubmits):
                reportIfUnheard(outcome, isAwaited: completion != nil)
                if let outcome { completion?.finish(outcome) }
                if resubmits { SimpleRequest(self).resubmit() }
                return nil
            case .pause: return nil
            }
        }
    }

    func perform(_ step: Step, in place: HandlerPlace) {
        switch step {
        case .decode(let index, let handler, let response, let epoch): decode(index, handler, response, epoch: epoch)
        // What a handler is bound to may have gone on the way here.
        case .notice(let handler, _, _) where handler.site.isOrphan,
            .status(let handler, _, _) where handler.site.isOrphan,
            .page(let handler, _, _) where handler.site.isOrphan,
            .outcome(let handler, _, _) where handler.site.isOrphan:
            break
        case .notice(let handler, let event, let context): Lineage.run(in: context) { tell(handler, in: place, event) }
        case .status(let handler, let response, let epoch): run(handler, in: place, on: response, epoch: epoch)
        case .page(let handler, let epoch, let context):
            Lineage.run(in: context) { show(handler, in: place, epoch: epoch) }
        case .outcome(let handler, let outcome, let context):
            Lineage.run(in: context) { run(handler, in: place, on: outcome) }
        }
    }

    /// Makes of a handler that waits for a value one that has it.
    private func decode(_ index: Int, _ handler: ValueHandler, _ response: SimpleResponse?, epoch: Int) {
        let (client, asked, pages) = state.withLock { ($0.client, $0.asked, $0.pages) }
        let decoder = client?.decoder(for: SimpleRequest(self)) ?? JSONDecoder.standard
        let source = ValueSource(response: response, decoder: decoder, specification: asked, pages: pages)
        let result = Result { () throws(SimpleNetworkingError) in try handler.decode(source) }
        state.withLock { state in
            if state.execution.epoch == epoch { state.decoded[index] = result }
        }
    }

    private func run(_ handler: RequestHandler, in place: HandlerPlace, on response: SimpleResponse, epoch: Int) {
        // The handler before it may have retried or ended the request.
        guard case .status(_, let status) = handler,
            let (family, ticket) = state.withLock({ $0.beginStatusHandler(epoch: epoch) })
        else { return }
        var request = SimpleRequest(self, ticket: RequestTicket(number: ticket, epoch: epoch))
        var goesOn = true
        log.record(handler.run(in: place)) {
            Lineage.run(in: Lineage.Context(family: family, isStatusHandler: true)) {
                goesOn = status.body(request, response)
            }
            return goesOn
        }
        guard !goesOn else { return }
        // Whoever kept the request has it in hand from now on; if that is lost, nobody will go on with it.
        let isKept = !isKnownUniquelyReferenced(&request)
        let isHandedOver = state.withLock { state in
            guard state.execution.handOver(epoch: epoch) else { return false }
            state.ticketInHand = isKept ? ticket : nil
            return true
        }
        if isHandedOver, !isKept { limitTakeover(epoch: epoch) }
    }

    /// Shows the handler for pages the one that has come.
    private func show(_ handler: RequestHandler, in place: HandlerPlace, epoch: Int) {
        guard case .page(let page, let next) = handler,
            state.withLock({ $0.execution.isLookedAt(epoch: epoch) })
        else { return }
        var goesOn = false
        log.record(handler.run(in: place)) {
            goesOn = page.body()
            return goesOn
        }
        if goesOn { state.withLock { $0.nextPage = next } }
    }

    private func run(_ handler: RequestHandler, in place: HandlerPlace, on outcome: Completion.Outcome) {
        log.record(handler.run(in: place)) {
            switch (handler, outcome) {
            case (.success(let success), .success(let response)): success.body(response)
            case (.error(let handler), .failure(let error)):
                handler.body(error, state.withLock { $0.seen(with: outcome) })
            case (.completion(let completion), _): completion.body(outcome)
            default: break
            }
            return nil
        }
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

    /// Gives the family that the handler's requests belong to, and the number of the handler's ticket; nil if it is not
    /// the handler's turn any more.
    fileprivate mutating func beginStatusHandler(epoch: Int) -> (Lineage, ticket: Int)? {
        guard execution.phase == .handling, execution.epoch == epoch else { return nil }
        let family = family ?? Lineage(limit: (settings?.maxRetries ?? 0) + 1)
        self.family = family
        lastTicket += 1
        return (family, lastTicket)
    }

    /// Says whether nobody is left who could go on with an unfinished request: it has no owner, or the one to whom a
    /// status handler gave it has forgotten it, though the caller may still hold it, for example to cancel it.
    fileprivate func isAbandoned(byLosing ticket: Int?) -> Bool {
        guard execution.isActive else { return false }
        if owners == 0 { return true }
        guard let ticket, execution.phase == .handedOver else { return false }
        return ticket == ticketInHand
    }
}
