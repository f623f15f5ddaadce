/// A handler as a request keeps it.
enum RequestHandler: Sendable {
    case status(HTTPStatuses, Isolated<SimpleRequest.StatusHandler>)
    case success(Isolated<SimpleRequest.SuccessHandler>)
    case error(Isolated<SimpleRequest.ErrorHandler>)
    case completion(Isolated<SimpleRequest.CompletionHandler>)

    var kind: HandlerRun.Kind {
        switch self {
        case .status(let statuses, _): .status(statuses)
        case .success: .success
        case .error: .error
        case .completion: .completion
        }
    }

    func place(queue: DispatchQueue) -> HandlerPlace {
        switch self {
        case .status(_, let handler): HandlerPlace(actor: handler.actor, queue: queue)
        case .success(let handler): HandlerPlace(actor: handler.actor, queue: queue)
        case .error(let handler): HandlerPlace(actor: handler.actor, queue: queue)
        case .completion(let handler): HandlerPlace(actor: handler.actor, queue: queue)
        }
    }

    var source: (fileID: StaticString, line: UInt) {
        switch self {
        case .status(_, let handler): (handler.fileID, handler.line)
        case .success(let handler): (handler.fileID, handler.line)
        case .error(let handler): (handler.fileID, handler.line)
        case .completion(let handler): (handler.fileID, handler.line)
        }
    }

    func waits(for status: Int) -> Bool {
        if case .status(let statuses, _) = self { statuses.contains(status) } else { false }
    }

    func waits(for outcome: Completion.Outcome) -> Bool {
        switch (self, outcome) {
        case (.success, .success), (.error, .failure): true
        default: false
        }
    }

    var isCompletion: Bool { if case .completion = self { true } else { false } }
}
