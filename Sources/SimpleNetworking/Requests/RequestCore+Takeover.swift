extension RequestCore {
    /// The handler kept nothing, so only the caller may still retry, who perhaps just wants to be able to cancel.
    func limitTakeover(epoch: Int) {
        let (settings, head, response) = state.withLock { ($0.settings, $0.head, $0.response) }
        guard let settings else { return }
        let cancel = settings.clock.schedule(after: settings.takeoverTimeout) { [weak self] in
            let isWaiting = self?.state.withLock { $0.execution.phase == .handedOver && $0.execution.epoch == epoch }
            if isWaiting == true { self?.end(.failure(.abandoned(head, response))) }
        }
        let isWaiting = state.withLock { state in
            guard state.execution.phase == .handedOver, state.execution.epoch == epoch else { return false }
            state.cancelDelay = cancel
            return true
        }
        if !isWaiting { cancel() }
    }
}
