import SimpleNetworkingCore

/// A step in the trace of a request, for `expectOrder(of:_:)`.
public enum TraceStep: Hashable, Sendable {
    /// An attempt was sent.
    case attempt(Int)
    /// The transport itself sent an attempt again, independently of the retry policy.
    case resend
    /// A response with this status was received.
    case response(Int)
    /// An attempt failed without a response.
    case failure
    /// A redirect with this status was followed.
    case redirect(Int)
    /// A status handler ran, such as `.status("401")` or `.status("500...599")`.
    case status(String)
    /// A handler for an attempt without a response ran.
    case noResponse
    /// The handler of a feature ran, such as `page`, and decided what the request goes on with.
    case handler(String)
    /// A success handler ran.
    case success
    /// An error handler ran.
    case error
    /// A completion handler ran.
    case completion
    /// A notice handler ran: `"start"`, `"retry"`, `"redirect"` or `"progress"`.
    case notice(String)
    /// A request refreshed a rejected or expired credential, waited for a refresh, or found a newer credential.
    case refresh
    /// A feature took part; see `note(_:)`.
    case note(type: String, text: String)
    /// A retry was requested.
    case retry
    /// The retry limit was reached.
    case limit
    /// A call was ignored.
    case ignored
    /// The execution ended.
    case end

    /// A handler for a list's pages ran.
    public static let page = TraceStep.handler("page")

    /// Returns the step for a handler of the given status.
    public static func status(_ code: Int) -> TraceStep { .status(String(code)) }

    /// Returns the step for what a feature did, such as `.note(CacheStep.hit)`.
    public static func note(_ note: any RequestNote) -> TraceStep {
        .note(type: "\(type(of: note))", text: note.description)
    }

    /// Creates a step from an event; nil for events that are not part of an order.
    init?(_ kind: RequestEvent.Kind) {
        switch kind {
        case .sent(_, let attempt): self = .attempt(attempt)
        case .resent: self = .resend
        case .received(let status, _): self = .response(status)
        case .failed: self = .failure
        case .redirected(let status, _, _): self = .redirect(status)
        case .withheld, .interim, .replaced, .suspended, .resumed:
            return nil
        case .handler(let run):
            self =
                switch run.kind {
                case .status(let statuses): .status(statuses.description)
                case .noResponse: .noResponse
                case .followUp(let name): .handler(name)
                case .success: .success
                case .error: .error
                case .completion: .completion
                case .start: .notice("start")
                case .retry: .notice("retry")
                case .redirect: .notice("redirect")
                case .progress: .notice("progress")
                }
        case .refresh: self = .refresh
        case .note(let note): self = .note(note)
        case .retry: self = .retry
        case .limitReached: self = .limit
        case .ignored: self = .ignored
        case .ended: self = .end
        case .unhandled: return nil
        }
    }

    var isHandlerOrRetry: Bool {
        switch self {
        case .status, .noResponse, .handler, .success, .error, .completion, .notice, .refresh, .retry, .limit: true
        default: false
        }
    }
}

/// Checks that a request's handlers and retries occurred in exactly the given order.
///
/// ```swift
/// try expectOrder(of: request, [.status(401), .retry, .success])
/// ```
///
/// Attempts, resends, responses, redirects, notes of one type and ends are compared only if the expected list contains a
/// step of the same kind, such as `.attempt(1)`.
///
/// - Parameters:
///   - request: A request that has ended.
///   - expected: The expected steps.
///   - fileID: The file that a failure is attributed to. The default is the caller's file.
///   - filePath: The full path of that file. The default is the path of the caller's file.
///   - line: The line that a failure is attributed to. The default is the line of the call.
///   - column: The column that a failure is attributed to. The default is the column of the call.
/// - Throws: `OrderMismatch`, whose text shows both lists side by side.
public func expectOrder(
    of request: SimpleRequest,
    _ expected: [TraceStep],
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
) throws {
    try expectOrder(of: request.trace, expected, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Checks that handlers and retries occurred in exactly the given order; see `expectOrder(of:_:)`.
public func expectOrder(
    of trace: RequestTrace,
    _ expected: [TraceStep],
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
) throws {
    let named = Set(expected.map(\.sort))
    let actual = trace.events.compactMap { TraceStep($0.kind) }.filter { step in
        step.isHandlerOrRetry || named.contains(step.sort)
    }
    guard actual != expected else { return }
    let place = SourcePlace(fileID, filePath, line, column)
    throw StubScope.noted(OrderMismatch(place: place, expected: expected, actual: actual, trace: trace))
}

/// Reports that handlers ran in an unexpected order.
package struct OrderMismatch: PlacedFailure {
    package let place: SourcePlace?
    /// The expected steps.
    package let expected: [TraceStep]
    /// The actual steps.
    package let actual: [TraceStep]
    /// The complete trace.
    package let trace: RequestTrace

    /// Both lists side by side, and the trace.
    package var text: String {
        let expected = ["expected"] + expected.map(\.text)
        let actual = ["actual"] + actual.map(\.text)
        let width = expected.map(\.count).max() ?? 0
        let lines = (0..<max(expected.count, actual.count)).map { index in
            let left = index < expected.count ? expected[index] : "–"
            let right = index < actual.count ? actual[index] : "–"
            let mark = index == 0 || left == right ? " " : "≠"
            return left + String(repeating: " ", count: width - left.count) + " \(mark) " + right
        }
        return "\(trace.request): another order\n" + lines.joined(separator: "\n") + "\n\n\(trace)"
    }
}

extension TraceStep {
    fileprivate var sort: String { String(text.prefix { $0 != " " }) }

    fileprivate var text: String {
        switch self {
        case .attempt(let number): "attempt \(number)"
        case .response(let status): "response \(status)"
        case .redirect(let status): "redirect \(status)"
        case .status(let statuses): "status \(statuses)"
        case .notice(let event): "handler for \(event)"
        case .note(let type, let text): "\(type) \(text)"
        case .noResponse: "no response"
        case .handler(let name): name
        case .failure, .success, .error, .completion, .refresh, .resend, .retry, .limit, .ignored, .end:
            "\(self)"
        }
    }
}
