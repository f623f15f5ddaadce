extension RequestState {
    enum Next {
        /// The content has to be decoded for the handler at this position.
        case decode(Int, ValueHandler, SimpleResponse?, epoch: Int)
        case notice(RequestHandler, Notice)
        case verdict(RequestHandler, Verdict, epoch: Int)
        case page(RequestHandler, epoch: Int)
        /// A further page is to be asked for, the one with this number.
        case turn(Int)
        /// No handler is left that could take the request over: what came of the attempt is the outcome.
        case decide(Completion.Outcome, epoch: Int)
        case outcome(RequestHandler, Completion.Outcome)
        /// A handler came after the end and waits for a value that there is not.
        case undecodable(SimpleNetworkingError)
        case ended(Completion?, Completion.Outcome?, resubmits: Bool)
        /// Somebody else goes on: the pipeline, or whoever retries.
        case pause
    }

    private enum Readiness {
        case ready(RequestHandler)
        case waiting(ValueHandler)
        case failed(SimpleNetworkingError)
        /// It is bound to an object that is gone, or there is nothing to run.
        case skipped
    }

    /// The next handler to run, in order: those for what came of the attempt, then those of the outcome, then completion
    /// handlers; what happened on the way is told before all of them.
    ///
    /// A handler that was added meanwhile joins the end of the list.
    mutating func next() -> Next {
        if !notices.isEmpty {
            let (handler, notice) = notices.removeFirst()
            return .notice(handler, notice)
        }
        if execution.phase == .handling, let verdict { return nextHandler(of: verdict) }
        if execution.phase == .deciding, let response { return decision(on: response, epoch: execution.epoch) }
        if execution.phase == .ending, let outcome { return nextHandler(of: outcome) }
        isDelivering = false
        return .pause
    }

    private mutating func nextHandler(of verdict: Verdict) -> Next {
        let epoch = execution.epoch
        while statusCursor < handlers.count {
            guard handlers[statusCursor].waits(for: verdict) else {
                statusCursor += 1
                continue
            }
            switch readiness(of: statusCursor) {
            case .waiting(let handler): return .decode(statusCursor, handler, response, epoch: epoch)
            case .failed(let error): return .decide(.failure(error), epoch: epoch)
            case .ready(let handler):
                statusCursor += 1
                return .verdict(handler, verdict, epoch: epoch)
            case .skipped: statusCursor += 1
            }
        }
        switch verdict {
        case .failed(let error), .answered(_, let error?): return .decide(.failure(error), epoch: epoch)
        case .answered(let response, nil): return decision(on: response, epoch: epoch)
        }
    }

    private mutating func decision(on response: SimpleResponse, epoch: Int) -> Next {
        if let next = nextPageStep(for: response) { return next }
        // What cannot be decoded is no success, so this comes before the outcome is fixed.
        for index in handlers.indices where handlers[index].wantsValue {
            switch readiness(of: index) {
            case .waiting(let handler): return .decode(index, handler, response, epoch: epoch)
            case .failed(let error): return .decide(.failure(error), epoch: epoch)
            case .ready, .skipped: continue
            }
        }
        return .decide(.success(response), epoch: epoch)
    }

    /// The handler for pages looks at a success before it is the end, and may want a further page; nil if it does not.
    private mutating func nextPageStep(for response: SimpleResponse) -> Next? {
        guard pages != nil, let index = handlers.firstIndex(where: \.takesPages) else { return nil }
        let epoch = execution.epoch
        if isPageHandled {
            switch nextPage {
            case nil: return nil
            case .failure(let error): return .decide(.failure(error), epoch: epoch)
            case .success(let progress):
                guard execution.turnPage(epoch: epoch) else { return nil }
                pages = progress
                isDelivering = false
                return .turn(progress.number)
            }
        }
        switch readiness(of: index) {
        case .waiting(let handler): return .decode(index, handler, response, epoch: epoch)
        case .failed(let error): return .decide(.failure(error), epoch: epoch)
        case .ready(let handler):
            isPageHandled = true
            return .page(handler, epoch: epoch)
        case .skipped: return nil
        }
    }

    private mutating func nextHandler(of outcome: Completion.Outcome) -> Next {
        while outcomeCursor < handlers.count {
            guard !isSilent, handlers[outcomeCursor].waits(for: outcome) else {
                outcomeCursor += 1
                continue
            }
            switch readiness(of: outcomeCursor) {
            case .waiting(let handler):
                return .decode(outcomeCursor, handler, seen(with: outcome), epoch: execution.epoch)
            case .failed(let error):
                outcomeCursor += 1
                return .undecodable(error)
            case .ready(let handler):
                outcomeCursor += 1
                return .outcome(handler, outcome)
            case .skipped: outcomeCursor += 1
            }
        }
        while completionCursor < handlers.count {
            guard handlers[completionCursor].isCompletion else {
                completionCursor += 1
                continue
            }
            switch readiness(of: completionCursor) {
            case .waiting(let handler):
                return .decode(completionCursor, handler, try? outcome.get(), epoch: execution.epoch)
            case .failed(let error):
                defer { completionCursor += 1 }
                guard let handler = handlers[completionCursor].withoutValue(asked) else { continue }
                if case .failure = outcome { return .outcome(handler, outcome) }
                // It came after a success that is none to it.
                return .outcome(handler, .failure(error))
            case .ready(let handler):
                completionCursor += 1
                return .outcome(handler, outcome)
            case .skipped: completionCursor += 1
            }
        }
        isDelivering = false
        defer { completion = nil }
        return .ended(completion, outcome, resubmits: execution.delivered())
    }

    private func readiness(of index: Int) -> Readiness {
        let handler = handlers[index]
        if handler.site.isOrphan { return .skipped }
        guard case .value(let value) = handler else { return .ready(handler) }
        switch decoded[index] {
        case nil: return .waiting(value)
        case .failure(let error): return .failed(error)
        case .success(let handler): return handler.map { .ready($0) } ?? .skipped
        }
    }

    /// The response that handlers see beside an outcome.
    func seen(with outcome: Completion.Outcome) -> SimpleResponse? {
        switch outcome {
        case .success(let response): response
        case .failure(let error): error.response ?? response
        }
    }

    /// Lets handlers that wait for a value see first whether a response has it, which somebody else has brought.
    ///
    /// Says whether there are such handlers, so that the outcome is not fixed yet.
    mutating func decide(on response: SimpleResponse) -> Bool {
        let waits = handlers.contains { $0.takesPages || $0.wantsValue }
        guard waits, execution.decide() else { return false }
        (self.response, error) = (response, nil)
        decoded = [:]
        (isPageHandled, nextPage) = (false, nil)
        return true
    }

    /// Whether every handler is bound to an object that is gone, so that nobody would hear of the end.
    var isForsaken: Bool {
        completion == nil && !handlers.isEmpty && handlers.allSatisfy { $0.site.isOrphan }
    }
}
