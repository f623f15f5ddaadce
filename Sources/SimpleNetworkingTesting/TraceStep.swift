import SimpleNetworking

/// Names one thing that happened to a request, for `expectOrder(of:_:)`.
public enum TraceStep: Hashable, Sendable {
    /// An attempt was sent.
    case attempt(Int)
    /// An attempt was sent again below the retry policy.
    case resend
    /// An answer with this status came.
    case response(Int)
    /// An attempt brought no answer.
    case failure
    /// A redirect with this status was followed.
    case redirect(Int)
    /// A handler for statuses ran, such as `.status("401")` or `.status("500...599")`.
    case status(String)
    /// A handler for an attempt without an answer ran.
    case noResponse
    /// A handler for pages ran.
    case page
    /// A success handler ran.
    case success
    /// An error handler ran.
    case error
    /// A completion handler ran.
    case completion
    /// A handler of what happens on the way ran: `"start"`, `"retry"` or `"redirect"`.
    case notice(String)
    /// A credential was refused or had expired, and was renewed, waited for, or newer already.
    case renewal
    /// The response cache gave, confirmed or stored an answer.
    case cache(CacheStep)
    /// A retry was asked for.
    case retry
    /// No retry was left.
    case limit
    /// Something was ignored.
    case ignored
    /// The execution ended.
    case end

    /// A handler for one status ran.
    public static func status(_ code: Int) -> TraceStep { .status(String(code)) }

    /// The name of what happened; nil for what is of no interest to an order.
    init?(_ kind: RequestEvent.Kind) {
        switch kind {
        case .sent(_, let attempt): self = .attempt(attempt)
        case .resent: self = .resend
        case .received(let status, _): self = .response(status)
        case .failed: self = .failure
        case .redirected(let status, _, _): self = .redirect(status)
        case .withheld: return nil
        case .handler(let run):
            self =
                switch run.kind {
                case .status(let statuses): .status(statuses.description)
                case .noResponse: .noResponse
                case .page: .page
                case .success: .success
                case .error: .error
                case .completion: .completion
                case .start: .notice("start")
                case .retry: .notice("retry")
                case .redirect: .notice("redirect")
                case .progress: .notice("progress")
                }
        // Its handler says it.
        case .page: return nil
        case .renewal: self = .renewal
        case .cache(let step): self = .cache(step)
        case .retry: self = .retry
        case .limitReached: self = .limit
        case .ignored: self = .ignored
        case .ended: self = .end
        case .unhandled: return nil
        }
    }

    var isHandlerOrRetry: Bool {
        switch self {
        case .status, .noResponse, .page, .success, .error, .completion, .notice, .renewal, .retry, .limit: true
        default: false
        }
    }
}
