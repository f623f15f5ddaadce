/// Describes a request to a server, and how its response is handled.
///
/// A request does nothing until it is executed on a client.
///
/// Methods that configure the request or add handlers return the request, so that you can chain calls. Handlers run in
/// the order in which they were added. Each handler runs on the actor whose code defines it, or on the callback queue
/// if it is defined outside any actor. Handlers of one request never overlap, and no handler runs before the call that
/// executes the request has returned. Every execution ends exactly once, unless your code keeps its request forever
/// without a `deadline`. You can use a request from any thread.
public final class SimpleRequest: Sendable {
    /// A closure that handles a response with a certain status.
    ///
    /// The closure returns true to continue with the next handler, or false to stop the request or to take it over.
    public typealias StatusHandler = (SimpleRequest, SimpleResponse) -> Bool

    struct State {
        var specification: RequestSpecification
        var handlers: [Handler] = []
        /// What is requested instead of the written target, if a handler decides what follows.
        var followUp: (any FollowUp)?
        /// The current or last execution.
        var execution: Execution?
        /// The client that last executed the request.
        var client: SimpleNetworking?
        /// The execution that `trace` describes: the last one, of the request itself or of an awaited copy.
        var traced: Execution?
        /// The executions of other awaited copies, which `cancel()` ends in addition to `traced`.
        var awaited: [Execution] = []
        /// What sends copies of the request again and again, which `cancel()` ends.
        var repetitions: [WeakLineage] = []
        /// Whether `cancel()` was called before the first execution.
        var isCancelled = false
        /// What holds back the transfers while the request is suspended; nil if that hasn't been needed.
        var suspension: Suspension?
        /// Whether `suspend()` was called on one of the objects that share this state.
        var wasSuspended = false
        /// The request that an awaiting caller sent as this copy, and with which the copy is suspended.
        var original: Locked<State>?
        /// The account to which the request belongs before it is sent, as a request before it did; nil for any account.
        var account: AccountOfClient?
        /// The sequence to which the request belongs; nil if the user asked for the request itself.
        var lineage: Lineage?
        /// Whether the execution may wait for one of the objects to pass it to `execute(request:)`.
        ///
        /// Objects that status handlers receive may have taken over the execution as well.
        var mayBeHeld = false
        /// Whether the request was copied, so that it need not be executed itself.
        var isCopied = false
    }

    /// The state that all objects representing the same request share.
    ///
    /// Each status handler receives its own object, so that the engine notices when that object is released.
    let state: Locked<State>
    /// The round of the execution in which a status handler received this object; nil for all other objects.
    let round: Int?

    /// Creates a request for a path that is joined to the client's base URL, or for an absolute URL.
    ///
    /// The default method is GET.
    convenience init(
        _ method: HTTPMethod = .get,
        path: String,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) { self.init(RequestSpecification(method: method, path: path, fileID: fileID, line: line)) }

    convenience init(_ specification: consuming RequestSpecification) {
        self.init(Locked(State(specification: specification)))
    }

    init(_ state: Locked<State>, round: Int? = nil) {
        self.state = state
        self.round = round
    }

    deinit {
        let (held, complaint, wasSuspended) = state.withLock { requestState in
            (
                requestState.mayBeHeld || round != nil ? requestState.execution : nil, requestState.complaint,
                requestState.wasSuspended
            )
        }
        held?.release(by: self)
        if wasSuspended { resumeOnRelease() }
        if let complaint { RequestLogger.system.log(.warning, complaint) }
    }

    /// Returns a copy of the request, with the same settings and handlers, that hasn't been executed.
    public func copy() -> SimpleRequest {
        SimpleRequest(Locked(state.withLock { $0.copied() }))
    }

    /// Returns a copy to send for an awaiting caller, which is suspended with this request.
    ///
    /// With `isRepeated`, further copies of the copy are made, whose content goes to a receiver.
    func copy(sendingTo destination: ContentDestination?, isRepeated: Bool = false) -> SimpleRequest {
        let copy = state.withLock { requestState in
            var copy = requestState.copied()
            if let destination { copy.specification.destination = destination }
            let isTransfer = isRepeated || copy.specification.isTransfer
            if requestState.suspension == nil, isTransfer { requestState.suspension = Suspension() }
            copy.suspension = requestState.suspension
            copy.original = requestState.original ?? state
            copy.lineage = requestState.lineage
            return copy
        }
        return SimpleRequest(Locked(copy))
    }

    /// Returns a copy that is sent again and again, and whose own copies are sent.
    package func repeatedCopy() -> SimpleRequest { copy(sendingTo: nil, isRepeated: true) }

    /// Changes the request's specification, and returns the request.
    @inline(never)  // Inlined 27 times, it took 9 KB.
    @discardableResult func specify(_ change: (inout RequestSpecification) -> Void) -> Self {
        let former = state.withLock { state in
            defer { change(&state.specification) }
            return state.specification.objects
        }
        // Released outside the lock: objects that the caller's closures retain may use the request as they are
        // released.
        withExtendedLifetime(former) {}
        return self
    }

    /// The current or last execution.
    var execution: Execution? { state.withLock { $0.execution } }
    /// The client that last executed the request.
    var client: SimpleNetworking? { state.withLock { $0.client } }
    /// The account that the request was first sent for.
    package var account: AccountOfClient? { traced?.account }
    /// The `Idempotency-Key` that the current or last execution created, if any.
    var idempotencyKey: String? { traced?.idempotencyKey }
    private var traced: Execution? { state.withLock { $0.traced } }

    /// Records and logs that something about the last execution, of which a client has awaited a copy, had no effect.
    package func ignore(_ reason: String, on client: SimpleNetworking) { traced?.ignore(reason, of: self, on: client) }

    /// Assigns the request to a sequence, and to its account, before it is sent; nil means any account.
    package func keep(_ account: AccountOfClient?, _ lineage: Lineage) {
        state.withLock { state in
            state.account = account
            state.lineage = lineage
        }
    }

    /// The current specification; each follow-up has its own.
    var specification: RequestSpecification { state.withLock { $0.current } }

    /// The HTTP method.
    public var method: HTTPMethod { state.withLock { $0.specification.method } }
    /// The request's path or URL, as it was given.
    ///
    /// While a handler has the request go on with another target, this property is that target's path or URL.
    public var path: String { specification.path }
    /// The query pairs that were given in addition to those in the path.
    ///
    /// While a handler has the request go on with another target, this property contains that target's pairs.
    public var query: Query { specification.query }
    /// Whether the path is an absolute URL, such as a link in a response.
    ///
    /// An absolute URL isn't joined to the base URL.
    public var isAbsolute: Bool { URLJoining.isAbsolute(path) }
    /// The tags of the request, which `tag(_:_:)` sets.
    public var tags: [String: String] { state.withLock { $0.specification.tags } }
    /// The number of the current or last attempt, starting at 1, or 0 before the first attempt.
    ///
    /// Every attempt is counted, whether a handler, a retry policy or an authenticator caused the attempt. The response
    /// to an attempt has the same attempt number.
    public var attempt: Int { traced?.attempt ?? 0 }
    /// The URL of the last attempt, before redirects.
    var requestedURL: URL? { traced?.head?.url }
    /// The trace of the current or last execution.
    public var trace: RequestTrace {
        let text = description
        return traced?.trace(of: text) ?? RequestTrace(request: text, events: [], memory: nil)
    }
}

extension SimpleRequest.State {
    fileprivate mutating func copied() -> SimpleRequest.State {
        isCopied = true
        return SimpleRequest.State(
            specification: specification,
            handlers: handlers,
            followUp: followUp?.restarted,
            account: account
        )
    }

    /// The warning to log when the last object for the request is released, or nil if there is none.
    ///
    /// A request with handlers that was never executed is probably a mistake. Other objects for the request exist only
    /// after it was executed, so only the last object reads this property.
    var complaint: String? {
        guard execution == nil, !handlers.isEmpty, !isCancelled, !isCopied else { return nil }
        return "\(specification): it has handlers but was never executed; call execute(on:), or pass it to send(_:) "
            + "(made at \(specification.fileID):\(specification.line))."
    }
}

/// A status handler receives its own object for its request, so compare requests with `==`, not `===`.
extension SimpleRequest: Identified {
    var identity: ObjectIdentifier { state.identity }
}

extension SimpleRequest: Described, Redacted {
    /// The method and the path, with secrets hidden.
    package var shownText: String { specification.description }

    package var shownMembers: KeyValuePairs<String, Any> {
        let current = specification
        let headers = current.headers.map { header in
            let field = header.value.map { HTTPHeaders.Field(header.name, $0, isSecret: header.isSecret) }
            return field.map { "\($0)" } ?? "no \(header.name)"
        }
        return [
            "request": current.description, "query": current.query, "headers": headers, "tags": current.tags,
            "attempt": attempt,
        ]
    }
}

extension SimpleRequest {
    /// Creates a request from a typed request, so that you can add handlers.
    ///
    /// The typed request's `id` becomes the tag `id`.
    public convenience init<Response>(
        _ request: Request<Response>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let path = request.path.isEmpty ? "/" : request.path
        var specification = RequestSpecification(method: request.method, path: path, fileID: fileID, line: line)
        specification.query = request.sentQuery ?? [:]
        specification.body = .typed(request.body)
        if let id = request.id { specification.tags["id"] = id }
        specification.defaultAccept = Request<Response>.defaultAccept
        self.init(specification)
        headers(request.headers ?? [:])
    }

    /// Sets a closure that changes each attempt after all other changes.
    package func configured(by configure: (@Sendable (inout TransportRequest) throws -> Void)?) -> Self {
        specify { $0.configure = configure }
    }
}
