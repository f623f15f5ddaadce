import SimpleNetworkingSupport

/// Handles the head of a response once, before its content if that is a stream.
///
/// It knows no client, because a transport may keep a request's sink, which must not keep the client.
final class HeadReceiver: Sendable {
    private let reactions: [HeadReaction]
    /// What learns from the head of a successful response that the credential is accepted.
    private let acceptance: HeadReaction?
    private let turn: (any RequestTurn)?
    private let leavesAtHead: Bool
    private let hasHead = Locked(false)

    init(
        reactions: [HeadReaction],
        acceptance: HeadReaction?,
        turn: (any RequestTurn)?,
        leavesAtHead: Bool
    ) {
        self.reactions = reactions
        self.acceptance = acceptance
        self.turn = turn
        self.leavesAtHead = leavesAtHead
    }

    /// Handles a head, and with `isComplete` the end of the response; returns whether the head says something new.
    @discardableResult
    func receive(_ status: Int, _ headers: HTTPHeaders, isComplete: Bool = false) -> Bool {
        let isNew = !hasHead.exchange(true)
        // At the end of a stream, its data would replace what came later.
        if isNew || !isComplete { for react in reactions { react(status, headers) } }
        // The content in memory may also reject the credential.
        if !isComplete, 200..<300 ~= status { acceptance?(status, headers) }
        turn?.receive(status, headers, isNew: isNew, isOver: isComplete || leavesAtHead)
        return isNew || !isComplete
    }

    /// Handles the failure of a transfer, whose head may have come before.
    func fail() { turn?.fail() }
}
