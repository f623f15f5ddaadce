/// Holds a handler of a request: what it waits for, where it was written, and its closure.
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
        case page(() -> Bool, next: Result<PageProgress, SimpleNetworkingError>?)
        /// Becomes one of the others when the content is decoded.
        case value(Decoding)
    }

    /// Decodes the content on a background thread; returns nil if there is nothing to run.
    typealias Decoding = (ValueSource) throws(SimpleNetworkingError) -> Body?

    let kind: HandlerRun.Kind
    let site: HandlerSite
    let body: Body
    /// Whether the client's `execute(request:)` added it, and not the request's own code.
    let isByClient: Bool

    init(_ kind: HandlerRun.Kind, _ site: HandlerSite, _ body: Body, isByClient: Bool = false) {
        (self.kind, self.site, self.body, self.isByClient) = (kind, site, body, isByClient)
    }

    /// The same handler with another closure.
    func with(_ body: Body) -> Handler { Handler(kind, site, body, isByClient: isByClient) }
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
    var wantsValueOfSuccess: Bool {
        guard takesValue else { return false }
        return switch kind {
        case .success, .completion: true
        default: false
        }
    }
}
