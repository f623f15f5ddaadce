import SimpleNetworking

/// Checks that a request's handlers ran, and retries were made, in just this order.
///
/// ```swift
/// try expectOrder(of: request, [.status(401), .retry, .success])
/// ```
///
/// What the expected list never names among attempts, resends, responses, redirects, the cache's steps and ends is left
/// out of the comparison; if it names one of them, such as `.attempt(1)`, all of that sort are compared.
///
/// - Parameters:
///   - request: A request that has ended.
///   - expected: The steps.
/// - Throws: `OrderMismatch`, whose text shows both lists side by side.
public func expectOrder(of request: SimpleRequest, _ expected: [TraceStep]) throws {
    try expectOrder(of: request.trace, expected)
}

/// Checks that handlers ran, and retries were made, in just this order; see `expectOrder(of:_:)`.
public func expectOrder(of trace: RequestTrace, _ expected: [TraceStep]) throws {
    let named = Set(expected.map(\.sort))
    let actual = trace.events.compactMap { TraceStep($0.kind) }.filter { step in
        step.isHandlerOrRetry || named.contains(step.sort)
    }
    if actual != expected { throw OrderMismatch(expected: expected, actual: actual, trace: trace) }
}

/// Tells that handlers ran in another order than a test expects.
public struct OrderMismatch: Error, CustomStringConvertible {
    /// What the test expects.
    public let expected: [TraceStep]
    /// What happened.
    public let actual: [TraceStep]
    /// The whole story.
    public let trace: RequestTrace

    /// Both lists side by side, and the trace.
    public var description: String {
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
        case .cache(let step): "cache \(step)"
        case .noResponse: "no response"
        case .failure, .page, .success, .error, .completion, .renewal, .resend, .retry, .limit, .ignored, .end:
            "\(self)"
        }
    }
}
