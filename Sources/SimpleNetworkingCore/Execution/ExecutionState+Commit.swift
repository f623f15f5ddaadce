import SimpleNetworkingSupport

/// Says what becomes of a commit: it is carried out when nothing else can be the outcome, or dropped.
extension ExecutionState {
    /// Whether the outcome will be a success, or the failure of what the success needs.
    var isAboutToEnd: Bool { phase == .deciding || phase == .committing }

    /// Whether the response that `succeed(with:)` provided is being delivered.
    var isDelivering: Bool { phase == .deciding && result == nil && provided == nil }

    /// Returns whether a provided response has content for the request's store or receiver.
    func needsDelivery(of response: SimpleResponse, to destination: ContentDestination) -> Bool {
        switch destination {
        case .memory: false
        case .receiver: !response.isDelivered
        // Without a commit, another request has delivered the content, if it is delivered.
        case .other: destination.isStore && (!response.isDelivered || commit == nil)
        }
    }

    /// Returns a commit that no success can carry out any more, which is dropped before what follows.
    mutating func takeUselessCommit() -> Commit? {
        switch phase {
        case .running, .handling, .takenOver, .committing: nil
        // Other content takes its place.
        case .deciding: provided == nil ? nil : commit.take()
        case .submitted, .ending, .ended: commit.take()
        }
    }
}
