import SimpleNetworkingSupport

/// What a feature may know of an attempt to send a request.
package struct Attempt: Sendable {
    let plan: RequestPlan
    let execution: Execution
    /// What signs the attempt's requests; nil if nothing does.
    let signer: (any RequestSigner)?
    /// What waits until the attempt's response counts; nil if nothing does.
    private var commits: Commits?
    /// Whether other requests wait for the request, which therefore waits for none of them.
    package let isUrgent: Bool

    init(
        plan: RequestPlan,
        execution: Execution,
        signer: (any RequestSigner)? = nil,
        commits: Commits? = nil,
        isUrgent: Bool = false
    ) {
        self.plan = plan
        self.execution = execution
        self.signer = signer
        self.commits = commits
        self.isUrgent = isUrgent
    }

    /// The number of the attempt, starting at 1.
    package var number: Int { execution.sentAttempt }

    /// Runs the client's tasks in a simulation, or is nil outside a simulation.
    package var scheduler: Scheduler? { plan.scheduler }

    /// The value of an option, as the request or its client sets it.
    package subscript<Key: OptionKey>(key: Key.Type) -> Key.Value {
        plan.specification.options[own: key] ?? plan.settings.configuration.options[key]
    }

    /// Adds an event to the request's trace.
    package func record(_ event: RequestEvent.Kind) { execution.record(event) }

    /// Returns whether a feature's data belongs to the user for whom the request was first prepared.
    ///
    /// The first user passed in becomes the request's user.
    ///
    /// - Throws: `.authentication` if it belongs to another user, except after a redirect: what was redirected was
    ///   carried out, so it goes on without the data.
    package func claim<Key: Feature>(_ user: Int, of feature: Key.Type, for request: TransportRequest) throws -> Bool {
        if execution.belongs(toUser: user, of: ObjectIdentifier(feature)) { return true }
        if request.isRedirected { return false }
        throw execution.foreignAccount
    }
}

// MARK: - Whose a request is

extension Attempt {
    /// Returns the request as it would be sent now, which tells whose it is.
    ///
    /// What has a response without the network is asked before the request waits for anything.
    package func preview(_ request: TransportRequest) async throws -> TransportRequest {
        do { return try await show(request) } catch {
            guard request.continues(after: error) else { throw error }
            return try await show(plan.withoutUser(request))
        }
    }

    private func show(_ request: TransportRequest) async throws -> TransportRequest {
        let (settings, mark) = plan.client.current
        // The client's header fields, which hooks may have read, may be the next user's.
        if signer == nil, !request.isUntrusted, !execution.belongs(to: mark.account) { throw execution.foreignAccount }
        var shown = request.mayBePreparedAgain ? request : plan.updated(request, with: settings)
        shown = try await signer?.preview(shown) ?? shown
        _ = try depart(&shown)
        return shown
    }

    /// Returns whether only user code knows how the request would be sent now.
    package func isOutdated(_ request: TransportRequest) -> Bool {
        let (settings, mark) = plan.client.current
        return (request.preparation as? Preparation)?.isOutdated(settings, mark) ?? false
    }

    /// Returns for whom a request is, which was signed; these fields don't count.
    package func owner(of request: TransportRequest, without added: HTTPHeaders = [:]) -> RequestOwnerIdentity {
        RequestOwnerIdentity(of: request, without: added, in: plan)
    }

    /// Returns whether the caller's session still adds the same cookies to a request.
    package func hasSameCookies(as owner: RequestOwnerIdentity) -> Bool {
        plan.engine.addedCookies(owner.head.url) == owner.cookies
    }
}

// MARK: - What is kept of a response

extension Attempt {
    /// Does work once the attempt's response counts, or never if it is rejected, and records the note that it returns.
    ///
    /// The work must not hold the attempt, which holds the work.
    package func commit(_ work: @escaping @Sendable () -> (any RequestNote)?) {
        let recorded = { @Sendable [execution] in
            if let note = work() { execution.record(.note(note)) }
        }
        if let commits { commits.add(recorded) } else { recorded() }
    }

    /// The attempt for a request without a waiting caller: `end` decides what becomes of its work.
    package var unattended: Attempt {
        var attempt = self
        attempt.commits = Commits()
        return attempt
    }

    /// Does the work of a request without a waiting caller, if its response counts.
    package func end(with response: TransportResponse?, to head: RequestHead) {
        guard let response, plan.settings.configuration.authenticator?.isRefusal(response) != true,
            !plan.isRejected(plan.result(of: response, to: head, attempt: 1))
        else { return }
        commits?.run()
    }
}

// MARK: - What the core asks

extension RequestPlan {
    /// Whether a feature may hold the request back until it has a turn.
    var hasTurns: Bool { !features.isEmpty && options.giveTurns }
}

extension Attempt {
    /// Whether the data of each feature belongs to the user for whom the request was first prepared.
    var belongsToCurrentUsers: Bool {
        plan.options.users.allSatisfy { execution.belongs(toUser: $0.user, of: $0.data) }
    }

    /// What learns that a request may have changed what some URLs lead to; nil if no feature does.
    package var changeReaction: ChangeReaction? { plan.features.isEmpty ? nil : plan.options.changeReaction }

    /// Returns the features' stages at a place.
    func stages(at place: StagePlace) -> [any Middleware] {
        plan.features.isEmpty ? [] : plan.features.compactMap { $0.stage(at: place, for: self) }
    }

    /// Adds the data of each feature to a request that is about to be sent, and returns what reads its response's head.
    func depart(_ request: inout TransportRequest) throws -> [HeadReaction] {
        var reactions: [HeadReaction] = []
        for feature in plan.features {
            if let reaction = try feature.depart(&request, for: self) { reactions.append(reaction) }
        }
        return reactions
    }
}
