/// Knows how far the requests of an attempt have come, which can't be taken back.
struct Reach {
    /// The head of the last request that was sent.
    private var last: RequestHead?
    /// The head of a request that was sent and must not be sent twice, with the method as it was sent.
    private var unrepeatable: RequestHead?
    /// Whether the server has responded to such a request with 2xx or 3xx.
    private var isAnswered = false
    /// Whether the server has carried out such a request, so that only a later one failed.
    private(set) var isCarriedOut = false

    /// The head that decides whether the attempt may be repeated; nil if nothing was sent.
    var decidingHead: RequestHead? { unrepeatable ?? last }

    mutating func noteSent(_ head: RequestHead) {
        if isAnswered { isCarriedOut = true }
        last = head
        isAnswered = false
        if !head.isRepeatable { unrepeatable = head }
    }

    mutating func noteResponse(_ status: Int) {
        if let last, !last.isRepeatable, (200...399).contains(status) { isAnswered = true }
    }

    mutating func noteRedirect() {
        if unrepeatable != nil { isCarriedOut = true }
    }
}

extension Execution {
    func noteSent(_ head: RequestHead) { state.withLock { $0.reach.noteSent(head) } }

    func noteResponse(_ status: Int) { state.withLock { $0.reach.noteResponse(status) } }

    func noteRedirect() { state.withLock { $0.reach.noteRedirect() } }

    /// Whether the attempt may begin again, because no request that must not be sent twice was carried out.
    var mayBeginAgain: Bool { state.withLock { !$0.reach.isCarriedOut } }

    /// The head of the attempt's request as it was sent, which decides whether the attempt may be repeated.
    var headAsSent: RequestHead? { state.withLock { $0.reach.decidingHead } }
}
