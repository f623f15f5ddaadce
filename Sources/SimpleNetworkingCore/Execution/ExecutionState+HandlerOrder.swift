import SimpleNetworkingSupport

/// Decides which handler is next, and what follows after the last one.
extension ExecutionState {
    /// The next action.
    ///
    /// Handlers are identified by their positions in the queue.
    enum Action {
        case tell(Int, Notice)
        case decode(Int, SimpleResponse?)
        case decide(Int, AttemptResult)
        /// The content can't be decoded, which ends the execution unless the handler's owner was released.
        case refuse(Int, SimpleNetworkingError)
        /// The handler decides whether the execution goes on with another target.
        case decideFollowUp(Int)
        case follow(any FollowUp)
        /// The response that `succeed(with:)` provided has content for the request's file or reader.
        case deliver(SimpleResponse)
        /// No remaining handler could prevent the success, which counts if this succeeds.
        case commit(Commit, SimpleResponse)
        /// There is no success that would carry this out.
        case drop(Commit)
        /// No remaining handler could stop the execution or take it over, so this is the outcome.
        case end(Outcome)
        /// The response is the response that error handlers receive.
        case conclude(Int, Outcome, SimpleResponse?)
        /// A handler that was added after the end waits for a value that can't be decoded.
        case undecodable(SimpleNetworkingError)
        case finish(Outcome)
    }

    /// Returns the next action, or nil while the pipeline, a timer or user code continues the execution.
    mutating func step() -> Action? {
        isHandlerUnaware = false
        if let commit = takeUselessCommit() { return .drop(commit) }
        if let (index, notice) = queue.takeNotice() { return .tell(index, notice) }
        switch phase {
        case .handling, .deciding:
            if let provided = provided.take() { return .deliver(provided) }
            return result.map { stepOn($0) }
        case .ending: return outcome.map { stepOn($0) }
        case .submitted, .running, .takenOver, .committing, .ended: return nil
        }
    }

    private mutating func stepOn(_ result: AttemptResult) -> Action {
        /// Content that can't be decoded ends the execution.
        func action(_ due: HandlerQueue.Due, _ run: (Int) -> Action) -> Action {
            switch due {
            case .run(let index): run(index)
            case .decode(let index): .decode(index, result.response)
            case .undecodable(let index, let error):
                queue.handlers[index].isBound ? .refuse(index, error) : .end(.failure(error))
            }
        }
        if phase == .handling, let due = queue.next(for: result) {
            if case .run = due { isHandlerUnaware = true }
            return action(due) { .decide($0, result) }
        }
        let response: SimpleResponse
        switch result {
        case .failure(let error), .response(_, let error?): return .end(.failure(error))
        case .response(let success, nil): response = success
        }
        if let due = queue.nextForFollowUp() { return action(due) { .decideFollowUp($0) } }
        switch queue.followUp {
        case .success(let followUp)?:
            prepareFollowUp()
            return .follow(followUp)
        case .failure(let error)?: return .end(.failure(error))
        case nil: break
        }
        // If content can't be decoded, the request hasn't succeeded, so this comes first.
        if let due = queue.nextForValue() { return action(due) { _ in .end(.success(response)) } }
        if let commit = beginCommit() { return .commit(commit, response) }
        return .end(.success(response))
    }

    private mutating func stepOn(_ outcome: Outcome) -> Action {
        if !isSilent, let due = queue.next(for: outcome) {
            switch due {
            case .run(let index): return .conclude(index, outcome, seen(with: outcome))
            case .decode(let index): return .decode(index, seen(with: outcome))
            case .undecodable(_, let error): return .undecodable(error)
            }
        }
        if let due = queue.nextForCompletion() {
            switch due {
            case .run(let index): return .conclude(index, outcome, seen(with: outcome))
            case .decode(let index): return .decode(index, try? outcome.get())
            // If it was added after a success that it can't decode, its outcome is that error.
            case .undecodable(let index, let error):
                return .conclude(index, outcome.flatMap { _ in .failure(error) }, nil)
            }
        }
        close()
        return .finish(outcome)
    }

    /// Returns the response that handlers see with an outcome.
    private func seen(with outcome: Outcome) -> SimpleResponse? {
        switch outcome {
        case .success(let response): response
        case .failure(let error): error.response ?? response
        }
    }
}
