extension RequestCore {
    /// Lets handlers hear of what happens on the way.
    func observe() {
        log.observe { [weak self] event in
            guard let self else { return }
            let isHeard = state.withLock { state in
                // A further page is not the start of anything.
                if state.execution.isFurtherPage, case .sent(_, attempt: 1) = event { return false }
                return state.add(.event(event))
            }
            // Whoever is on the way when the answer comes has to hold the request from then on.
            if isHeard { wake(holding: SimpleRequest(self)) }
        }
    }

    /// Takes what has moved of the content; nil if no handler wants to know.
    var progressReport: (@Sendable (TransferProgress) -> Void)? {
        guard state.withLock({ $0.handlers.contains { $0.waits(for: .progress(TransferProgress())) } }) else {
            return nil
        }
        return { [weak self] progress in
            guard let self else { return }
            let isHeard = state.withLock { state in
                guard state.execution.phase == .running else { return false }
                state.progress = progress
                // The end is told once, when it is known to be one.
                return progress.maySoonEnd ? false : state.add(.progress(progress))
            }
            if isHeard { wake(holding: SimpleRequest(self)) }
        }
    }

    func tell(_ handler: RequestHandler, in place: HandlerPlace, _ notice: Notice) {
        guard case .notice(_, let tell) = handler else { return }
        // Of what comes so often, the story would be of nothing else.
        if notice.isProgress { return tell.body(notice) }
        log.record(handler.run(in: place)) {
            tell.body(notice)
            return nil
        }
    }
}

extension RequestState {
    /// Says whether a handler is to hear of it.
    mutating func add(_ notice: Notice) -> Bool {
        let wanted = handlers.filter { $0.waits(for: notice) }
        // Handlers that are slower than the transfer hear of the newest progress only.
        if notice.isProgress { notices.removeAll { $0.notice.isProgress } }
        notices += wanted.map { ($0, notice) }
        return !wanted.isEmpty
    }

    /// All has moved that there was.
    mutating func completeProgress(of attempt: Int) {
        progress.attempt = attempt
        progress.bytesToSend = progress.bytesSent
        progress.bytesToReceive = progress.bytesReceived
        _ = add(.progress(progress))
    }
}

extension TransferProgress {
    /// Whether the next report may be the last: all has moved, or all is sent and the response has not begun to come.
    fileprivate var maySoonEnd: Bool {
        let isSent = bytesSent == bytesToSend ?? 0
        return isSent && (bytesReceived == bytesToReceive ?? 0 || bytesSent > 0 && bytesReceived == 0)
    }
}
