/// A handler as a request keeps it.
enum RequestHandler: Sendable {
    case status(HTTPStatuses, Isolated<SimpleRequest.StatusHandler>)
    case noResponse(Isolated<SimpleRequest.NoResponseHandler>)
    case success(Isolated<SimpleRequest.SuccessHandler>)
    case error(Isolated<SimpleRequest.ErrorHandler>)
    case completion(Isolated<SimpleRequest.CompletionHandler>)
    /// Returns true for the next page, whose address, if there is one, is beside it.
    case page(Isolated<() -> Bool>, next: Result<PageProgress, SimpleNetworkingError>?)
    /// Becomes one of the others when the content is decoded.
    case value(ValueHandler)
    /// Hears of what happens on the way.
    case notice(HandlerRun.Kind, Isolated<(Notice) -> Void>)

    var kind: HandlerRun.Kind {
        switch self {
        case .status(let statuses, _): .status(statuses)
        case .noResponse: .noResponse
        case .success: .success
        case .error: .error
        case .completion: .completion
        case .page: .page
        case .value(let handler): handler.kind
        case .notice(let kind, _): kind
        }
    }

    /// Where it was written, and what it is bound to.
    var site: Isolated<Void> {
        switch self {
        case .status(_, let handler): handler.with(())
        case .noResponse(let handler): handler.with(())
        case .success(let handler): handler.with(())
        case .error(let handler): handler.with(())
        case .completion(let handler): handler.with(())
        case .page(let handler, _): handler.with(())
        case .value(let handler): handler.site
        case .notice(_, let handler): handler.with(())
        }
    }
}

extension RequestHandler {
    /// Gives the place where it runs; a queue that was set by hand wins over the main actor that nobody named.
    func place(_ queues: CallbackQueues) -> HandlerPlace {
        let site = site
        let actor = site.actor ?? (site.isByMainActor && queues.chosen == nil ? MainActor.shared : nil)
        return HandlerPlace(actor: actor, queue: queues.chosen ?? queues.usual)
    }

    /// What the trace says when it runs.
    func run(in place: HandlerPlace) -> HandlerRun {
        let site = site
        return HandlerRun(kind: kind, source: (site.fileID, site.line), location: place)
    }

    func waits(for status: Int) -> Bool {
        switch self {
        case .status(let statuses, _): statuses.contains(status)
        case .value(let handler):
            if case .status(let statuses) = handler.use { statuses.contains(status) } else { false }
        default: false
        }
    }

    func waits(for verdict: Verdict) -> Bool {
        switch verdict {
        case .answered(let response, _): waits(for: response.httpStatus)
        case .failed: if case .noResponse = self { true } else { false }
        }
    }

    func waits(for outcome: Completion.Outcome) -> Bool {
        switch outcome {
        case .success: isForSuccess
        case .failure: isForFailure
        }
    }

    func waits(for notice: Notice) -> Bool {
        guard case .notice(let kind, _) = self else { return false }
        return switch (kind, notice) {
        case (.start, .event(.sent(_, attempt: 1))), (.redirect, .event(.redirected)), (.progress, .progress): true
        case (.retry, .event(.sent(_, let attempt))): attempt > 1
        default: false
        }
    }

    var isValue: Bool { if case .value = self { true } else { false } }

    /// Whether it waits for pages.
    var takesPages: Bool {
        if case .value(let handler) = self, case .page = handler.use { true } else { false }
    }

    var isForSuccess: Bool {
        switch self {
        case .success: true
        case .value(let handler): if case .success = handler.use { true } else { false }
        default: false
        }
    }

    var isForFailure: Bool {
        switch self {
        case .error: true
        case .value(let handler): if case .error = handler.use { true } else { false }
        default: false
        }
    }

    var isNotice: Bool { if case .notice = self { true } else { false } }

    var isCompletion: Bool {
        switch self {
        case .completion: true
        case .value(let handler): if case .completion = handler.use { true } else { false }
        default: false
        }
    }

    /// What it becomes where there is no content to decode.
    func withoutValue(_ specification: RequestSpecification) -> RequestHandler? {
        guard case .value(let handler) = self else { return self }
        let nothing = ValueSource(
            response: nil,
            decoder: JSONDecoder.standard,
            specification: specification,
            pages: nil
        )
        return try? handler.decode(nothing)
    }

    /// Whether it wants the value of a success.
    var wantsValue: Bool { isValue && (isForSuccess || isCompletion) }
}
