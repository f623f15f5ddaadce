import SimpleNetworkingSupport

/// Knows how far the requests of an attempt have come, which can't be taken back.
struct Reach {
    /// The head of the last request that was sent.
    private(set) var last: RequestHead?
    /// The head of a request that was sent and must not be sent twice, with the method as it was sent.
    private var unrepeatable: RequestHead?
    /// Whether the server may have carried out such a request: it was sent, and not refused.
    private var isOpen = false
    /// Whether the server has carried out such a request, so that only a later one failed.
    private(set) var isCarriedOut = false
    /// The head of the last response, if its content has failed.
    private(set) var failedHead: TransportResponse?

    /// The head that decides whether the attempt may be repeated; nil if nothing was sent.
    var decidingHead: RequestHead? { unrepeatable ?? last }

    /// Notes that a request is sent; with `continues`, it is a part of the one before, such as an upload's.
    mutating func noteSent(_ head: RequestHead, continues: Bool = false) {
        if isOpen, !continues { isCarriedOut = true }
        (last, failedHead) = (head, nil)
        if !head.isRepeatable {
            unrepeatable = head
            isOpen = true
        }
    }

    /// Notes that no connection was made, or that the server has refused the last request.
    mutating func noteRefusal() { if let last, !last.isRepeatable { isOpen = false } }

    mutating func noteResponse(_ status: Int) {
        if [401, 407, 417, 421, 425, 429].contains(status) { noteRefusal() }
    }

    /// Notes the head of a response whose content has failed.
    mutating func note(failedHead: TransportResponse) { self.failedHead = failedHead }

    mutating func noteRedirect() {
        if unrepeatable != nil { isCarriedOut = true }
    }
}

extension Execution {
    func noteSent(_ head: RequestHead, continues: Bool = false) {
        state.withLock { $0.attempt.reach.noteSent(head, continues: continues) }
    }

    /// Notes that no connection was made for the last request.
    func noteUnreached() { state.withLock { $0.attempt.reach.noteRefusal() } }

    func noteResponse(_ status: Int) { state.withLock { $0.attempt.reach.noteResponse(status) } }

    func noteRedirect() { state.withLock { $0.attempt.reach.noteRedirect() } }

    /// Notes what a server has said although its content has failed; with `isPart`, to a part of a request.
    func noteFailedHead(_ status: Int, _ headers: HTTPHeaders, isPart: Bool) {
        var response = TransportResponse(httpStatus: status, headers: headers)
        state.withLock { state in
            response.request = state.attempt.reach.last
            state.attempt.reach.note(failedHead: response)
            if !isPart { state.attempt.reach.noteResponse(status) }
        }
    }

    /// Notes the head for another execution, which has joined the transfer.
    func note(failedHead: TransportResponse) { state.withLock { $0.attempt.reach.note(failedHead: failedHead) } }

    /// The head of the last response, if its content has failed.
    var failedHead: TransportResponse? { state.withLock { $0.attempt.reach.failedHead } }

    /// Returns the head of a response, even if its content has failed; nil if none came, or the request is cancelled.
    func head(of outcome: Result<TransportResponse, any Error>) -> TransportResponse? {
        switch outcome {
        case .success(let response): response
        case .failure: Task.isCancelled ? nil : failedHead
        }
    }

    /// Whether the attempt may begin again, because no request that must not be sent twice was carried out.
    var mayBeginAgain: Bool { state.withLock { !$0.attempt.reach.isCarriedOut } }

    /// The head of the last request that was sent, as it was sent.
    var lastHead: RequestHead? { state.withLock { $0.attempt.reach.last } }

    /// The head of the attempt's request as it was sent, which decides whether the attempt may be repeated.
    var headAsSent: RequestHead? { state.withLock { $0.attempt.reach.decidingHead } }
}
