extension RequestCore: DeliverySource {
    enum Step {
        case decode(Int, ValueHandler, SimpleResponse?, epoch: Int)
        case notice(RequestHandler, Notice, Lineage.Context?)
        case verdict(RequestHandler, Verdict, epoch: Int)
        case page(RequestHandler, epoch: Int, Lineage.Context?)
        case outcome(RequestHandler, Completion.Outcome, Lineage.Context?)
    }

    func nextStep() -> (Step, HandlerPlace)? {
        while true {
            let (next, queues, context) = state.withLock { ($0.next(), $0.callbackQueues, $0.lineageContext) }
            switch next {
            case .decode(let index, let handler, let response, let epoch):
                return (.decode(index, handler, response, epoch: epoch), .pool)
            case .notice(let handler, let notice):
                return (.notice(handler, notice, context), handler.place(queues))
            case .verdict(let handler, let verdict, let epoch):
                return (.verdict(handler, verdict, epoch: epoch), handler.place(queues))
            case .page(let handler, let epoch):
                return (.page(handler, epoch: epoch, context), handler.place(queues))
            case .turn(let number):
                log.recordPage(number)
                state.withLock { $0.client }?.execute(request: SimpleRequest(self))
                return nil
            case .decide(let outcome, let epoch): end(outcome, epoch: epoch)
            case .outcome(let handler, let outcome):
                return (.outcome(handler, outcome, context), handler.place(queues))
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
            .verdict(let handler, _, _) where handler.site.isOrphan,
            .page(let handler, _, _) where handler.site.isOrphan,
            .outcome(let handler, _, _) where handler.site.isOrphan:
            break
        case .notice(let handler, let notice, let context):
            Lineage.run(in: context) { tell(handler, in: place, notice) }
        case .verdict(let handler, let verdict, let epoch): run(handler, in: place, on: verdict, epoch: epoch)
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

    private func run(_ handler: RequestHandler, in place: HandlerPlace, on verdict: Verdict, epoch: Int) {
        // The handler before it may have retried or ended the request.
        guard let (family, ticket) = state.withLock({ $0.beginStatusHandler(epoch: epoch) }) else { return }
        var request = SimpleRequest(self, ticket: RequestTicket(number: ticket, epoch: epoch))
        var goesOn = true
        log.record(handler.run(in: place)) {
            Lineage.run(in: Lineage.Context(family: family, isStatusHandler: true)) {
                goesOn = handler.decide(on: verdict, of: request)
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

extension RequestHandler {
    fileprivate func decide(on verdict: Verdict, of request: SimpleRequest) -> Bool {
        switch (self, verdict) {
        case (.status(_, let handler), .answered(let response, _)): handler.body(request, response)
        case (.noResponse(let handler), .failed(let error)): handler.body(request, error)
        default: true
        }
    }
}

extension RequestState {
    fileprivate var callbackQueues: CallbackQueues {
        var queues = settings?.callbackQueues ?? CallbackQueues(usual: .main)
        if let queue = specification.callbackQueue { queues.chosen = queue }
        return queues
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
}
