/// Says what to ask of a server and what to do with the answer.
///
/// It does nothing until it is executed on a client.
///
/// Chain links add to it and return it. Handlers run in the order in which they were written, each on the actor whose
/// code wrote it, or on the callback queue if no actor did; those of one request never overlap, and none runs before the
/// call that executes the request has returned. Every execution ends exactly once. A request may be used from any
/// thread.
public final class SimpleRequest: Sendable {
    /// Takes a successful response.
    public typealias SuccessHandler = (SimpleResponse) -> Void
    /// Takes an error, and the response that it came with, if any.
    public typealias ErrorHandler = (SimpleNetworkingError, SimpleResponse?) -> Void
    /// Takes a response of a certain status; returns true to go on, false to take the request over.
    public typealias StatusHandler = (SimpleRequest, SimpleResponse) -> Bool
    /// Takes what kept a response from coming; returns true to go on, false to take the request over.
    public typealias NoResponseHandler = (SimpleRequest, SimpleNetworkingError) -> Bool
    /// Takes whatever the end is.
    public typealias CompletionHandler = (Result<SimpleResponse, SimpleNetworkingError>) -> Void

    let core: RequestCore
    /// What a status handler got with the request in hand; nil for all others who hold it.
    let ticket: RequestTicket?

    /// Makes a request for a path below the client's base URL, or for an absolute address.
    ///
    /// - Parameters:
    ///   - method: The method. The default is GET.
    ///   - path: The path or address.
    ///   - fileID: Where the request is made, for the log.
    ///   - line: Where the request is made, for the log.
    public convenience init(
        _ method: HTTPMethod = .get,
        path: String,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(RequestSpecification(method: method, path: path, site: .init(fileID: fileID, line: line)))
    }

    convenience init(_ specification: RequestSpecification) {
        self.init(RequestCore(RequestState(specification: specification)))
    }

    /// One request may have several owners, each with an object of its own: so it is known who has lost it.
    init(_ core: RequestCore, ticket: RequestTicket? = nil) {
        self.core = core
        self.ticket = ticket
        core.state.withLock { $0.owners += 1 }
    }

    /// Makes a request of its own that says the same and has the same handlers.
    private convenience init(copying state: RequestState, log: EventLog = EventLog()) {
        self.init(RequestCore(state, log: log))
        if state.handlers.contains(where: \.isNotice) { core.observe() }
    }

    deinit { core.release(ticket: ticket?.number) }

    /// Makes a fresh request that says the same and has the same handlers, with no attempt counted.
    public func copy() -> SimpleRequest { SimpleRequest(copying: core.state.withLock { $0.copy() }) }

    /// A copy of which only its execution knows, whoever holds `self`, so that the awaiting caller cannot be forgotten.
    func copy(awaitedBy completion: Completion) -> SimpleRequest {
        var state = core.state.withLock { $0.copy() }
        state.completion = completion
        let copy = SimpleRequest(copying: state, log: core.log)
        core.state.withLock { state in
            state.copies.removeAll { $0.core == nil }
            state.copies.append(WeakCore(core: copy.core))
        }
        return copy
    }

    /// Changes what the request says, and returns the request.
    @discardableResult
    func specify(_ change: (inout RequestSpecification) -> Void) -> Self {
        core.state.withLock { change(&$0.specification) }
        return self
    }

    var specification: RequestSpecification { core.state.withLock { $0.asked } }

    /// The method.
    public var method: HTTPMethod { core.state.withLock { $0.specification.method } }
    /// The path or address as it was given; of a further page, the one that is asked for.
    public var path: String { specification.path }
    /// The query's pairs as they were given, beside those in the path; of a further page, those that are asked for.
    public var query: Query { specification.query }
    /// Whether the path is an absolute address, such as the link to a further page, and not joined to the base URL.
    public var isAbsolute: Bool { URLJoining.isAbsolute(path) }
    /// The number of the attempt that is prepared, runs or ran last, from 1; 0 before the first.
    ///
    /// It counts what was sent, whoever asked for it: handlers, a retry policy or an authenticator. The response to the
    /// attempt has the same number.
    public var attempt: Int { core.log.currentAttempt }
    /// The marks that `tag(_:_:)` set.
    public var tags: [String: String] { core.state.withLock { $0.specification.tags } }
    /// The story of the execution that runs or ran last.
    public var trace: RequestTrace {
        let memory = core.state.withLock { $0.settings?.memory }
        let text = description
        return RequestTrace(request: memory?.hide(in: text) ?? text, events: core.log.events, memory: memory)
    }
}

extension SimpleRequest: Hashable {
    /// Tells whether both are the same request.
    ///
    /// A status handler gets an object of its own that stands for its request, so compare with `==` and not with `===`.
    public static func == (left: SimpleRequest, right: SimpleRequest) -> Bool { left.core === right.core }

    /// Adds what makes it this request.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(core)) }
}

extension SimpleRequest: CustomStringConvertible, CustomReflectable {
    /// The method and the path, with secrets hidden.
    public var description: String { specification.description }

    /// Shows what it says to `dump` and debuggers, with secrets hidden.
    public var customMirror: Mirror {
        let asked = specification
        let headers = asked.headers.map { header in
            header.value.map { "\(HTTPHeaders.Field(header.name, $0, isSecret: header.isSecret))" }
                ?? "no \(header.name)"
        }
        let children: KeyValuePairs<String, Any> = [
            "request": asked.description, "query": asked.query, "headers": headers, "tags": asked.tags,
            "attempt": attempt,
        ]
        return Mirror(self, children: children, displayStyle: .class, ancestorRepresentation: .suppressed)
    }
}

extension RequestState {
    fileprivate mutating func copy() -> RequestState {
        isPattern = true
        var copy = RequestState(specification: specification)
        copy.handlers = handlers
        copy.pages = pages?.restarted
        return copy
    }
}
