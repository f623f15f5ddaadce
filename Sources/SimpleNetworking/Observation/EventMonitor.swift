/// Hears of everything that happens to a client's requests: for measuring, counting and reporting.
///
/// ```swift
/// struct Failures: EventMonitor {
///     func observe(_ event: RequestEvent, of request: ObservedRequest) {
///         if case .ended(.failure(let error)) = event.kind { count(error, request.tags["id"]) }
///     }
/// }
/// let api = SimpleNetworking(host: "api.example.com") { $0.eventMonitors = [Failures()] }
/// ```
///
/// It can change nothing, and it holds up the request for as long as it takes.
public protocol EventMonitor: Sendable {
    /// Takes what has just happened.
    ///
    /// Called on any thread. The events of one request come in order; a handler's comes when it has returned. Unlike their
    /// descriptions, events hold secrets, such as the header fields of a `RequestHead`.
    func observe(_ event: RequestEvent, of request: ObservedRequest)
}
