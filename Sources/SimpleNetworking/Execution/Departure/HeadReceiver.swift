/// Handles the head of a response once, before its content if that is a stream.
///
/// It knows no client, because a transport may keep a request's sink, which must not keep the client.
final class HeadReceiver: Sendable {
    private let cookies: (jar: CookieJar, generation: Int)?
    private let url: URL
    private let slot: TrafficGate.Slot?
    private let lane: TrafficQueue.Lane?
    /// What heeds the server's word; nil if nothing does.
    private let gate: WeakGate
    private let leavesAtHead: Bool
    private let state = Locked((hasHead: false, word: ServerWord?.none))

    /// Holds a gate without keeping its client's.
    private struct WeakGate: Sendable {
        weak var gate: TrafficGate?
    }

    init(
        cookies: (jar: CookieJar, generation: Int)?,
        url: URL,
        slot: TrafficGate.Slot?,
        lane: TrafficQueue.Lane?,
        gate: TrafficGate?,
        leavesAtHead: Bool
    ) {
        self.cookies = cookies
        self.url = url
        self.slot = slot
        self.lane = lane
        self.gate = WeakGate(gate: gate)
        self.leavesAtHead = leavesAtHead
    }

    /// Handles a head, and with `isComplete` the end of the response.
    func receive(_ status: Int, _ headers: HTTPHeaders, isComplete: Bool = false) {
        let word = gate.gate.flatMap { _ in ServerWord(status: status, headers) }
        let isNew = state.withLock { state in
            defer { state = (true, word) }
            return !state.hasHead
        }
        // At the end of a stream, its cookies would replace later ones.
        if isNew || !isComplete, let cookies { cookies.jar.store(headers, from: url, since: cookies.generation) }
        guard let slot else {
            if isNew, let lane, let word { gate.gate?.hear(word, in: lane) }
            return
        }
        if isComplete || leavesAtHead { slot.giveBack(after: .response(word)) }
    }

    /// Handles the failure of a transfer, whose head may have said something.
    func fail() {
        let word = state.withLock(\.word)
        slot?.giveBack(after: word.map { .response($0) } ?? .failure)
    }
}
