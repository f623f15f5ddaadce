import SimpleNetworkingSupport

/// Holds a request's handler: its kind, its closure, where it was defined, and the object that it is bound to.
///
/// The closures aren't `@Sendable`, so that they can use the state around them. The unchecked conformance is safe
/// because each closure runs where it was defined: on its actor, on the main actor if the defining code ran there, or
/// on the callback queue.
struct Handler: @unchecked Sendable {
    enum Body {
        case status(SimpleRequest.StatusHandler)
        case noResponse((SimpleRequest, SimpleNetworkingError) -> Bool)
        case success((SimpleResponse) -> Void)
        case error((SimpleNetworkingError, SimpleResponse?) -> Void)
        case completion((Result<SimpleResponse, SimpleNetworkingError>) -> Void)
        case notice((Notice) -> Void)
        case followUp(() -> FollowUpDecision)
        /// Becomes one of the other cases when the content is decoded.
        case value(Decoding)
    }

    /// Decodes the content on a background thread, and returns nil if there is nothing to run.
    typealias Decoding = (ValueSource) throws(SimpleNetworkingError) -> Body?

    /// A value that was decoded for a handler, and that other handlers in the same place receive as well.
    struct Decoded {
        let type: ObjectIdentifier
        let value: Any
        /// Where the handler runs for which the value was decoded.
        var place: HandlerPlace?
    }

    let kind: HandlerRun.Kind
    private(set) var body: Body
    private(set) var decoded: Decoded?
    /// Whether the handler counts when the client looks for the owners of a request's handlers.
    ///
    /// Any other handler keeps its request going only while its owner exists, and not at all without one.
    var isCounted = true
    /// The source location where the handler was defined.
    let fileID: StaticString
    let line: UInt
    private let actor: (any Actor)?
    /// Whether code without static isolation defined the handler while running on the main actor.
    private let isByMainActor: Bool
    let owner: Owner?

    /// Creates a handler; call it where the handler is defined.
    init(_ kind: HandlerRun.Kind, _ body: Body, at site: CallSite) {
        self.kind = kind
        self.body = body
        actor = site.actor
        fileID = site.fileID
        line = site.line
        isByMainActor = site.actor == nil && HandlerPlace.isOnMainActor
        owner = site.owner.map(Owner.init)
    }

    func with(_ body: Body, _ decoded: Decoded? = nil) -> Handler {
        var handler = self
        handler.body = body
        handler.decoded = decoded
        return handler
    }

    var isBound: Bool { owner != nil }

    /// Returns where the handler runs; a queue that was set takes precedence over an inferred main actor.
    func place(queue: DispatchQueue?, own: OwnQueue?) -> HandlerPlace {
        let actor = actor ?? (isByMainActor && queue == nil ? MainActor.shared : nil)
        return HandlerPlace(actor: actor, queue: queue, own: own)
    }
}

/// Holds a weak reference to the object that a handler is bound to.
///
/// Any thread may hold this reference, but reading the object retains the object briefly. If the object's last other
/// reference is released meanwhile, the object's `deinit` runs on the reading thread. Therefore, read the object only
/// where the handler runs, and without holding a lock.
final class Owner: @unchecked Sendable {
    private weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }

    /// Whether the object was released.
    ///
    /// Read this property only where the handler runs, without holding a lock.
    var isReleased: Bool { object == nil }

    /// Runs the work unless the object was released, and retains the object until the work returns.
    ///
    /// Call this method only where the handler runs, without holding a lock.
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
    var decidesFollowUp: Bool { if case .followUp = kind { true } else { false } }

    /// Whether the content must be decoded for this handler before success is decided.
    var wantsValueOfSuccess: Bool { takesValue && (isCompletion || kind == .success) }
}

/// Holds the input from which a handler's value is decoded.
package struct ValueSource {
    package let response: SimpleResponse?
    package let decoder: any ResponseDecoder
    /// The values that were decoded for handlers in the same place, and what is decoded now; nil if nothing is shared.
    let values: Locked<[Handler.Decoded]>?
    /// The specification of the request.
    let specification: RequestSpecification
    /// The URL that was requested, before redirects.
    package let url: URL?
    /// Determines which URLs in the response may be requested.
    package let redirects: RedirectPolicy
    /// What was requested instead of the written target, if a handler decides what follows.
    package let followUp: (any FollowUp)?

    init(
        response: SimpleResponse?,
        decoder: any ResponseDecoder,
        specification: RequestSpecification,
        url: URL?,
        client: SimpleNetworking,
        followUp: (any FollowUp)?,
        values: [Handler.Decoded]? = nil
    ) {
        self.values = values.map { Locked($0) }
        self.response = response
        self.decoder = decoder
        self.specification = specification
        self.url = url
        redirects = specification.redirectPolicy ?? client.configuration.redirectPolicy
        self.followUp = followUp
    }

    /// Reads the response to a request that was copied for a follow-up.
    package init(
        _ response: SimpleResponse,
        of request: SimpleRequest,
        on client: SimpleNetworking,
        for followUp: any FollowUp
    ) {
        self.init(
            response: response,
            decoder: client.decoder(for: request),
            specification: request.specification,
            url: request.requestedURL,
            client: client,
            followUp: followUp
        )
    }

    /// The target that was requested, as it was given.
    package var target: RequestTarget { specification.target }
    package var hasBody: Bool { !specification.body.isNone }
}

/// Describes an event that handlers of a running request can observe.
enum Notice: Sendable {
    case event(RequestEvent.Kind)
    case progress(TransferProgress)

    var isProgress: Bool { if case .progress = self { true } else { false } }
}
