import SimpleNetworkingFeatureSupport

/// A request's turn to be sent, according to the traffic rules.
final class TrafficTurn: RequestTurn {
    private let lane: TrafficQueue.Lane
    /// The request's slot; nil if it waits for none, because others wait for it.
    private let slot: TrafficGate.Slot?
    /// What heeds the server's word; nil if nothing does, or if the client is gone: a transport may keep the turn.
    private let gate: WeakGate

    private struct WeakGate: Sendable {
        weak var gate: TrafficGate?
    }

    init(_ lane: TrafficQueue.Lane, _ slot: TrafficGate.Slot?, _ gate: TrafficGate?) {
        self.lane = lane
        self.slot = slot
        self.gate = WeakGate(gate: gate)
    }

    var holdsOthersBack: Bool { slot != nil }

    var isOutdated: Bool { slot?.isOutdated ?? false }

    func giveBack() { slot?.giveBack(after: .unsent) }

    func receive(_ status: Int, _ headers: HTTPHeaders, isNew: Bool, isOver: Bool) {
        let hint = gate.gate.flatMap { _ in RateLimitHint(status: status, headers) }
        if isNew, slot == nil || !isOver { gate.gate?.apply(hint, in: lane, of: slot) }
        // What the head has said isn't said again at the end.
        if isOver { slot?.giveBack(after: isNew ? .response(hint) : .failure) }
    }

    func fail() { slot?.giveBack(after: .failure) }
}
