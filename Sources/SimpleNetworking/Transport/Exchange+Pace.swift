extension Exchange {
    /// Suspends the task while much content waits for the task that sends.
    ///
    /// FoundationNetworking has nothing to this end: a task that it suspends loses its connection, and is sent anew when it
    /// is resumed.
    func pace() {
        #if canImport(Darwin)
            guard case .stream = request.sink else { return }
            queue.async {
                let turn: (task: URLSessionTask, isPause: Bool)? = self.change { state in
                    guard let task = state.task, state.isPaused != state.wantsPause else { return nil }
                    state.isPaused.toggle()
                    return (task, state.isPaused)
                }
                // On this queue neither overtakes the other.
                guard let turn else { return }
                if turn.isPause { turn.task.suspend() } else { turn.task.resume() }
            }
        #endif
    }
}
