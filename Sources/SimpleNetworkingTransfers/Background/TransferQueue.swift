import SimpleNetworkingFeatureSupport

/// Holds the finished transfers until the app iterates over them.
final class TransferQueue: Sendable {
    private struct State {
        var transfers: [FinishedTransfer] = []
        var waiting: [FirstResult<Void>] = []
        var completionHandlers: [@MainActor () -> Void] = []
        /// Whether the system has delivered all events for which it launched the app.
        var hasDeliveredEvents = false

        /// Returns the completion handlers if all events were delivered and handled.
        mutating func takeCompletionHandlers(evenUnhandled: Bool = false) -> [@MainActor () -> Void] {
            guard hasDeliveredEvents, transfers.isEmpty || evenUnhandled, !completionHandlers.isEmpty else { return [] }
            hasDeliveredEvents = false
            defer { completionHandlers = [] }
            return completionHandlers
        }
    }

    private let state = Locked(State())

    func add(_ transfer: FinishedTransfer) {
        let waiting = state.withLock { state in
            state.transfers.append(transfer)
            defer { state.waiting = [] }
            return state.waiting
        }
        for each in waiting { each.finish(.success(())) }
    }

    /// Returns the next finished transfer, or nil if the task is cancelled, in which case no transfer is lost.
    func next() async -> FinishedTransfer? {
        while true {
            let arrival = FirstResult<Void>()
            let (transfer, completionHandlers) = state.withLock {
                state -> (FinishedTransfer?, [@MainActor () -> Void]) in
                // A caller that asks for the next transfer has handled the last one.
                let completionHandlers = state.takeCompletionHandlers()
                if state.transfers.isEmpty {
                    state.waiting.append(arrival)
                    return (nil, completionHandlers)
                }
                return (state.transfers.removeFirst(), completionHandlers)
            }
            Self.call(completionHandlers)
            if let transfer { return transfer }
            do { try await arrival.value() } catch { return nil }
        }
    }

    /// Notes that the system has delivered all events, and completes them when they are handled, at the latest after
    /// ten seconds.
    func finishEvents() {
        let completionHandlers = state.withLock { state in
            state.hasDeliveredEvents = true
            return state.takeCompletionHandlers()
        }
        Self.call(completionHandlers)
        completeEventsLater()
    }

    func whenEventsAreHandled(_ completionHandler: @escaping @MainActor () -> Void) {
        let completionHandlers = state.withLock { state in
            state.completionHandlers.append(completionHandler)
            return state.takeCompletionHandlers()
        }
        Self.call(completionHandlers)
        completeEventsLater()
    }

    private func completeEventsLater() {
        DispatchQueue.main.asyncAfter(deadline: .now() + 10) { [weak self] in
            guard let self else { return }
            let completionHandlers = state.withLock { $0.takeCompletionHandlers(evenUnhandled: true) }
            Self.call(completionHandlers)
        }
    }

    private static func call(_ completionHandlers: [@MainActor () -> Void]) {
        guard !completionHandlers.isEmpty else { return }
        Task { @MainActor in for each in completionHandlers { each() } }
    }
}
