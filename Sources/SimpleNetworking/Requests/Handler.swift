/// Holds a handler of a request: what it waits for, its closure, where it was written, and the object that it is bound
/// to, if any.
///
/// The closures are plain, not `@Sendable`, so that they can use the state around them. That is sound because each runs
/// where it was written: on its actor, on the main actor if that ran the code, or on the callback queue. Hence the
/// unchecked conformance.
struct Handler: @unchecked Sendable {
    enum Body {
        case status(SimpleRequest.StatusHandler)
        case noResponse((SimpleRequest, SimpleNetworkingError) -> Bool)
        case success((SimpleResponse) -> Void)
        case error((SimpleNetworkingError, SimpleResponse?) -> Void)
        case completion((Result<SimpleResponse, SimpleNetworkingError>) -> Void)
        case notice((Notice) -> Void)
        /// Returns true for the next page; `next` is that page, if there is one.
        ///
        /// Indirect, since each handler of a request has room for the largest case.
        indirect case page(() -> Bool, next: Result<PageProgress, SimpleNetworkingError>?)
        /// Becomes one of the others when the content is decoded.
        case value(Decoding)
    }

    /// Decodes the content on a background thread; returns nil if there is nothing to run.
    typealias Decoding = (ValueSource) throws(SimpleNetworkingError) -> Body?

    let kind: HandlerRun.Kind
    private(set) var body: Body
    /// Whether the client's `execute(request:)` added it, and not the request's own code.
    var isByClient = false
    /// The place in the source where it was written.
    let fileID: StaticString
    let line: UInt
    private let actor: (any Actor)?
    /// Whether code without static isolation wrote it while that ran on the main actor.
    private let isByMainActor: Bool
    let owner: Owner?

    /// Makes a handler; must be called where it is written.
    init(_ kind: HandlerRun.Kind, _ body: Body, at site: CallSite) {
        self.kind = kind
        self.body = body
        actor = site.actor
        fileID = site.fileID
        line = site.line
        isByMainActor = site.actor == nil && HandlerPlace.isOnMainActor
        owner = site.owner.map(Owner.init)
    }

    func with(_ body: Body) -> Handler {
        var handler = self
        handler.body = body
        return handler
    }

    var isBound: Bool { owner != nil }

    /// The place where it runs; a queue that was set by hand wins over the main actor that no code named.
    func place(queue: DispatchQueue?, own: OwnQueue?) -> HandlerPlace {
        let actor = actor ?? (isByMainActor && queue == nil ? MainActor.shared : nil)
        return HandlerPlace(actor: actor, queue: queue, own: own)
    }
}

/// Refers weakly to the object that a handler is bound to.
///
/// Any thread may hold it, but looking at the object retains that for a moment. If its last other reference goes
/// meanwhile, its `deinit` runs here: so no lock may be held, and only the handler's place may look.
final class Owner: @unchecked Sendable {
    private weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }

    /// Must be called in the handler's place, without a lock.
    var isReleased: Bool { object == nil }

    /// Runs the work unless the object was released, and keeps it until the work has returned.
    ///
    /// Must be called in the handler's place, without a lock.
    func whileKept<Result>(_ work: () -> Result) -> Result? {
        guard let object else { return nil }
        return withExtendedLifetime(object) { work() }
    }
}

extension Handler {
    func waits(forStatus status: Int) -> Bool {
        if case .status(let statuses) = kind { statuses.contains(status) } else { false }
    }

    func waits(for result: AttemptResult) -> Bool {
        switch (result, kind) {
        case (.response(let response, _), .status(let statuses)): statuses.contains(response.httpStatus)
        case (.failure, .noResponse): true
        default: false
        }
    }

    func waits(for outcome: Outcome) -> Bool {
        switch (outcome, kind) {
        case (.success, .success), (.failure, .error): true
        default: false
        }
    }

    func waits(for notice: Notice) -> Bool {
        switch (kind, notice) {
        case (.start, .event(.sent(_, attempt: 1))), (.redirect, .event(.redirected)), (.progress, .progress): true
        case (.retry, .event(.sent(_, let attempt))): attempt > 1
        default: false
        }
    }

    var takesValue: Bool { if case .value = body { true } else { false } }
    var isCompletion: Bool { if case .completion = kind { true } else { false } }
    var takesPages: Bool { if case .page = kind { true } else { false } }

    /// Whether a success is decided only after its content was decoded for this handler.
    var wantsValueOfSuccess: Bool { takesValue && (isCompletion || kind == .success) }
}

/// What a handler for a value decodes it from.
struct ValueSource {
    let response: SimpleResponse?
    let decoder: any ResponseDecoder
    /// What was requested.
    let specification: RequestSpecification
    /// The URL that was requested, before redirects.
    let url: URL?
    /// The position in a list of pages, for a handler of pages.
    let pages: PageProgress?
}

/// An event that handlers of a running request may want.
enum Notice: Sendable {
    case event(RequestEvent.Kind)
    case progress(TransferProgress)

    var isProgress: Bool { if case .progress = self { true } else { false } }
}
