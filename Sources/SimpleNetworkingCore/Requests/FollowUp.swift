import SimpleNetworkingSupport

/// Has an execution request another target after a success, instead of ending.
///
/// The request keeps all else. Attempts and retries are counted from 1 again.
package protocol FollowUp: Sendable {
    /// What events and the trace say when the target is requested.
    var note: any RequestNote { get }
    /// What the request begins with when it is executed from the start, or copied.
    var restarted: any FollowUp { get }
    /// Returns the target that is requested instead of the written one.
    func target(insteadOf written: RequestTarget) -> RequestTarget
}

/// Holds the part of a request that a ``FollowUp`` replaces.
package struct RequestTarget: Sendable {
    package var path: String
    package var query: Query

    package init(path: String, query: Query) {
        self.path = path
        self.query = query
    }
}

/// Holds what a handler has decided about the request that follows.
package struct FollowUpDecision {
    /// The value that the handler has returned: whether the execution goes on, if there is a follow-up.
    let continues: Bool
    let followUp: Result<any FollowUp, SimpleNetworkingError>?
    /// The reasons why something had no effect.
    let ignored: [String]

    package init(
        continues: Bool,
        with followUp: Result<any FollowUp, SimpleNetworkingError>?,
        ignored: [String] = []
    ) {
        self.continues = continues
        self.followUp = followUp
        self.ignored = ignored
    }
}

extension SimpleRequest {
    /// Returns a copy for the target of a follow-up.
    package func copy(for followUp: any FollowUp) -> SimpleRequest {
        copy().specify { $0.target = followUp.target(insteadOf: $0.target) }
    }

    /// Adds a handler that runs for each success, and decides whether the execution goes on with another target.
    ///
    /// `read` decodes the content on a background thread, and returns the closure that runs the handler. A second
    /// handler of this kind ends the request with `.invalidRequest` for the reason `conflict`.
    package func add(
        handlerFor name: String,
        beginningWith first: any FollowUp,
        conflict: String,
        at site: CallSite,
        read: @escaping (ValueSource) throws(SimpleNetworkingError) -> (() -> FollowUpDecision)?
    ) -> Self {
        let isFirst = state.withLock { state in
            defer { state.followUp = state.followUp ?? first }
            return state.followUp == nil
        }
        guard isFirst else { return specify { $0.mistake = $0.mistake ?? .invalidRequest(reason: conflict, nil) } }
        return add(.followUp(name), at: site) { (source) throws(SimpleNetworkingError) in
            try read(source).map(Handler.Body.followUp)
        }
    }
}

extension RequestSpecification {
    var target: RequestTarget {
        get { RequestTarget(path: path, query: query) }
        set {
            path = newValue.path
            query = newValue.query
        }
    }
}

extension SimpleRequest.State {
    /// The current specification; each follow-up has its own.
    @inline(never)  // Inlined 17 times, the copy took 21 KB.
    var current: RequestSpecification {
        guard let followUp else { return specification }
        var current = specification
        current.target = followUp.target(insteadOf: specification.target)
        return current
    }
}
