/// All that changes about a request; kept under its lock.
struct RequestState {
    var specification: RequestSpecification
    var handlers: [RequestHandler] = []
    var execution = ExecutionState()
    var client: (any RequestExecutor)?
    var settings: ExecutionSettings?
    /// The attempt whose start has not returned yet.
    var startingEpoch: Int?
    /// The attempt in the pipeline.
    var task: Task<Void, Never>?
    var cancelDeadline: (@Sendable () -> Void)?
    var cancelDelay: (@Sendable () -> Void)?
    /// Seconds to wait before the execution that was asked for while handlers heard of the end of this one.
    var queuedDelay: TimeInterval = 0
    var head: RequestHead?
    var response: SimpleResponse?
    /// What the response means, or why there is none; nil for success.
    var error: SimpleNetworkingError?
    var outcome: Completion.Outcome?
    /// Whether the outcome is for completion handlers and whoever awaits alone.
    var isSilent = false
    /// Whoever awaits the end.
    var completion: Completion?
    /// Private copies that `send(_:)` executes.
    var copies: [WeakCore] = []
    /// Whether copies were made of it, to be executed in its place.
    var isPattern = false
    /// How many `SimpleRequest`s stand for this request: the caller's, the pipeline's, the one in a status handler's hands.
    var owners = 0
    var lastTicket = 0
    /// The one that a status handler kept when it took the request over; nil if it kept none.
    var ticketInHand: Int?
    /// The generation of the client's credential as the attempt was sent.
    var stamp = 0
    /// The generation that a renewal has brought this request.
    var renewedStamp: Int?
    /// Whether a renewal made it.
    var isRenewal = false
    /// The account that it was first sent for.
    var account: Int?
    var family: Lineage?
    /// Whether it was executed by a handler of `family`, and not itself its origin.
    var isDescendant = false
    /// Whether handlers are on their way; there is never more than one at a time.
    var isDelivering = false
    /// Whether somebody looks whether the objects that its handlers are bound to are still there.
    var isWatched = false
    /// What handlers have yet to hear of.
    var notices: [(handler: RequestHandler, notice: Notice)] = []
    /// What has moved of the content of the attempt that runs or ran last.
    var progress = TransferProgress()
    /// What became of the handlers that wait for a value, by their positions.
    var decoded: [Int: Result<RequestHandler?, SimpleNetworkingError>] = [:]
    /// How far it has come, if it goes from page to page.
    var pages: PageProgress?
    /// Whether the handler for pages has had this one.
    var isPageHandled = false
    /// The page that its handler wants next.
    var nextPage: Result<PageProgress, SimpleNetworkingError>?
    var statusCursor = 0
    var outcomeCursor = 0
    var completionCursor = 0

    init(specification: RequestSpecification) { self.specification = specification }

    /// What is asked for now: of a request that goes from page to page, the page whose turn it is.
    var asked: RequestSpecification { pages?.asked(of: specification) ?? specification }

    /// What came of the attempt, once something has.
    var verdict: Verdict? { response.map { .answered($0, error) } ?? error.map { .failed($0) } }

    /// Leaves nothing of what was before, and gives what cancels the timer that ran until now.
    mutating func beginAttempt() -> (@Sendable () -> Void)? {
        defer { cancelDelay = nil }
        (statusCursor, outcomeCursor, completionCursor) = (0, 0, 0)
        (outcome, isSilent) = (nil, false)
        decoded = [:]
        (isPageHandled, nextPage) = (false, nil)
        if execution.attempt == 1, !execution.isFurtherPage { pages = pages?.restarted }
        (response, error) = (nil, nil)
        progress = TransferProgress()
        return cancelDelay
    }

    mutating func end(with outcome: Completion.Outcome, isSilent: Bool) {
        (self.outcome, self.isSilent) = (outcome, isSilent)
        task = nil
        cancelDelay = nil
        cancelDeadline = nil
    }
}

/// A request that may be gone.
struct WeakCore: Sendable {
    weak var core: RequestCore?
}
