extension RequestCore {
    /// Lets handlers hear of what happens on the way.
    func observe() {
        log.observe { [weak self] event in
            guard let self else { return }
            let isHeard = state.withLock { state in
                // A further page is not the start of anything.
                if state.execution.isFurtherPage, case .sent(_, attempt: 1) = event { return false }
                let notices = state.handlers.filter { $0.waits(for: event) }.map { (handler: $0, event: event) }
                state.notices += notices
                return !notices.isEmpty
            }
            // Whoever is on the way when the answer comes has to hold the request from then on.
            if isHeard { wake(holding: SimpleRequest(self)) }
        }
    }

    func tell(_ handler: RequestHandler, in place: HandlerPlace, _ event: RequestEvent.Kind) {
        guard case .notice(_, let notice) = handler else { return }
        log.record(handler.run(in: place)) {
            notice.body(event)
            return nil
        }
    }
}
