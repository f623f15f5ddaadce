import SimpleNetworkingSupport

/// Decides the execution's next step, and where it runs.
extension Execution {
    /// One handler to run, content to decode, or a commit to carry out or to drop.
    struct Step: Sendable {
        let action: ExecutionState.Action
        let place: HandlerPlace
        let round: Int
        /// The generation of the results.
        ///
        /// A step that is based on an earlier result is stale.
        let generation: Int
        /// The object that the handler is bound to, if any.
        var owner: Owner?
        var scope: RetryBudget.Scope?
    }

    /// The next action, after the lock is released.
    enum Next {
        case step(Step)
        /// The end, after the last step.
        case ending(Ending)
        case nothing
    }
}

extension Execution.Step {
    /// Runs work in the step's place unless the owner was released, and retains the owner until the work returns.
    @inline(never)  // Inlined 4 times, it took 6 KB.
    func whileOwnerIsKept<Result>(_ work: () -> Result) -> Result? {
        guard let owner else { return work() }
        return owner.whileKept(work)
    }
}

extension Execution.State {
    /// Decides the next action, or ends the delivery if there is none.
    mutating func next(at time: TimeInterval) -> Execution.Next {
        guard gate.staysOpen() else { return .nothing }
        while let action = machine.step() {
            func step(
                in place: HandlerPlace,
                for index: Int? = nil,
                _ scope: RetryBudget.Scope? = nil
            ) -> Execution.Next {
                let step = Execution.Step(
                    action: action,
                    place: place,
                    round: machine.round,
                    generation: machine.queue.generation,
                    owner: index.flatMap { machine.queue.handlers[$0].owner },
                    scope: scope
                )
                return .step(step)
            }
            switch action {
            case .end(let outcome): _ = end(outcome, at: time)
            case .finish(let outcome): return .ending(takeEnding(outcome))
            case .undecodable, .decode, .commit, .drop: return step(in: .pool(ownQueue))
            case .follow, .deliver:
                gate.close()
                return step(in: .pool(ownQueue))
            case .decide(let index, _):
                let scope = inherited.budget.scopeOfStatusHandlers(maxRetries: settings?.configuration.maxRetries ?? 0)
                return step(in: place(of: index), for: index, scope)
            case .refuse(let index, _): return step(in: place(of: index), for: index)
            case .tell(let index, _), .decideFollowUp(let index), .conclude(let index, _, _):
                return step(in: place(of: index), for: index, inherited.budget.scopeOfOtherHandlers)
            }
        }
        gate.close()
        return .nothing
    }

    func place(of index: Int) -> HandlerPlace {
        let chosen = callbackQueue ?? lastSettings?.chosenQueue
        return machine.queue.handlers[index].place(queue: chosen, own: ownQueue)
    }

    private var ownQueue: OwnQueue? { lastSettings?.ownQueue }
    /// The settings of the attempt, or the client's before the first attempt.
    var lastSettings: SimpleNetworking.Settings? { settings ?? client?.settings }

    /// Returns the request if the execution is still in this round and in one of these phases.
    func requestState(inRound round: Int, _ phases: ExecutionState.Phase...) -> Locked<SimpleRequest.State>? {
        machine.round == round && phases.contains(machine.phase) ? request : nil
    }
}
