/// Which handler is next, and what follows after the last one.
extension ExecutionState {
    /// What to do next; handlers are named by their positions in the queue.
    enum Action {
        case tell(Int, Notice)
        /// Decode the content for the handler at this position.
        case decode(Int, SimpleResponse?)
        case decide(Int, AttemptResult)
        case show(Int)
        /// Request this page.
        case turn(PageProgress)
        /// No handler is left that could stop or take over: this is the outcome.
        case end(Outcome)
        /// The response is the one that error handlers get.
        case conclude(Int, Outcome, SimpleResponse?)
        /// A handler that was added after the end waits for a value that there is not.
        case undecodable(SimpleNetworkingError)
        case finish(Outcome)
    }

    /// Nil while something else continues the execution: the pipeline, a timer, or the user's code.
    mutating func step() -> Action? {
        if let (index, notice) = queue.takeNotice() { return .tell(index, notice) }
        switch phase {
        case .handling, .deciding: return result.map { stepOn($0) }
        case .ending: return outcome.map { stepOn($0) }
        case .submitted, .running, .takenOver, .ended: return nil
        }
    }

    private mutating func stepOn(_ result: AttemptResult) -> Action {
        if phase == .handling, let turn = queue.next(for: result) {
            switch turn {
            case .run(let index): return .decide(index, result)
            case .decode(let index): return .decode(index, response)
            case .undecodable(_, let error): return .end(.failure(error))
            }
        }
        let response: SimpleResponse
        switch result {
        case .failure(let error), .response(_, let error?): return .end(.failure(error))
        case .response(let success, nil): response = success
        }
        if let turn = queue.nextForPage() {
            switch turn {
            case .run(let index): return .show(index)
            case .decode(let index): return .decode(index, response)
            case .undecodable(_, let error): return .end(.failure(error))
            }
        }
        switch queue.nextPage {
        case .success(let page)?:
            turnPage()
            return .turn(page)
        case .failure(let error)?: return .end(.failure(error))
        case nil: break
        }
        // Content that can't be decoded is no success, so this comes first.
        switch queue.nextForValue() {
        case .decode(let index)?: return .decode(index, response)
        case .undecodable(_, let error)?: return .end(.failure(error))
        case .run?, nil: return .end(.success(response))
        }
    }

    private mutating func stepOn(_ outcome: Outcome) -> Action {
        if !isSilent, let turn = queue.next(for: outcome) {
            switch turn {
            case .run(let index): return .conclude(index, outcome, seen(with: outcome))
            case .decode(let index): return .decode(index, seen(with: outcome))
            case .undecodable(_, let error): return .undecodable(error)
            }
        }
        if let turn = queue.nextForCompletion() {
            switch turn {
            case .run(let index): return .conclude(index, outcome, seen(with: outcome))
            case .decode(let index): return .decode(index, try? outcome.get())
            case .undecodable(let index, let error):
                if case .failure = outcome { return .conclude(index, outcome, nil) }
                // It was added after a success that it can't decode.
                return .conclude(index, .failure(error), nil)
            }
        }
        finish()
        return .finish(outcome)
    }

    /// The response that handlers see beside an outcome.
    private func seen(with outcome: Outcome) -> SimpleResponse? {
        switch outcome {
        case .success(let response): response
        case .failure(let error): error.response ?? response
        }
    }
}
