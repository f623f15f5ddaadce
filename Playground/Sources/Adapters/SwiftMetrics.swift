import Foundation
import Metrics
import SimpleNetworking
import Synchronization

/// Counts and times a client's requests with swift-metrics.
///
/// | metric | what |
/// |---|---|
/// | `http.client.request.duration` | timer: an execution, from its first attempt to its end, retries included |
/// | `http.client.requests` | counter: executions that have ended |
/// | `http.client.attempts` | counter: attempts; more than requests where requests are retried |
/// | `http.client.active_requests` | meter: executions in flight |
///
/// The first one and the labels have the names of OpenTelemetry's conventions: `http.request.method`,
/// `server.address`, and for what has ended `http.response.status_code` and `error.type`. The number of their values is
/// bounded, since each combination costs memory for as long as the process runs: unusual methods, statuses, and hosts
/// after the first `maxHosts`, are `_OTHER`, and no label has a path.
public final class RequestMetrics: EventMonitor {
    private struct Running {
        let start: Double
        let labels: [(String, String)]
    }

    private struct State {
        var running: [Int: Running] = [:]
        var hosts: Set<String> = []
    }

    private let factory: any MetricsFactory
    private let maxHosts: Int
    private let state = Mutex(State())

    /// Creates a monitor for any number of clients.
    ///
    /// - Parameters:
    ///   - factory: Where the metrics go. The default is the one that the process has bootstrapped.
    ///   - maxHosts: How many hosts have a label of their own. The default is 20.
    public init(factory: any MetricsFactory = MetricsSystem.factory, maxHosts: Int = 20) {
        (self.factory, self.maxHosts) = (factory, maxHosts)
    }

    /// Counts what happens to a request.
    public func observe(_ event: RequestEvent, of request: ObservedRequest) {
        switch event.kind {
        case .sent(let head, _):
            let labels = begin(request.number, head, at: event.time)
            Counter(label: "http.client.attempts", dimensions: labels, factory: factory).increment()
        case .ended(let ending): end(request.number, ending, at: event.time)
        default: break
        }
    }

    private func begin(_ number: Int, _ head: RequestHead, at time: Double) -> [(String, String)] {
        let (labels, count) = state.withLock { state in
            if let running = state.running[number] { return (running.labels, nil as Int?) }
            var host = head.url.host?.lowercased() ?? ""
            if state.hosts.count >= maxHosts, !state.hosts.contains(host) { host = Self.other }
            state.hosts.insert(host)
            let labels = [("http.request.method", Self.label(of: head.method)), ("server.address", host)]
            state.running[number] = Running(start: time, labels: labels)
            return (labels, state.running.count)
        }
        if let count { report(running: count) }
        return labels
    }

    private func end(_ number: Int, _ ending: Result<Int, SimpleNetworkingError>, at time: Double) {
        // What was never sent, such as an invalid URL, has not begun.
        let (ended, count) = state.withLock { ($0.running.removeValue(forKey: number), $0.running.count) }
        guard let ended else { return }
        report(running: count)
        let labels = ended.labels + Self.labels(of: ending)
        Counter(label: "http.client.requests", dimensions: labels, factory: factory).increment()
        Timer(label: "http.client.request.duration", dimensions: labels, factory: factory)
            .recordSeconds(time - ended.start)
    }

    private func report(running count: Int) {
        Meter(label: "http.client.active_requests", dimensions: [], factory: factory).set(count)
    }

    // MARK: Labels

    private static let other = "_OTHER"
    private static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY",
    ]

    private static func label(of method: HTTPMethod) -> String {
        methods.contains(method.rawValue) ? method.rawValue : other
    }

    private static func label(of status: Int) -> String { (100...599).contains(status) ? "\(status)" : other }

    private static func labels(of ending: Result<Int, SimpleNetworkingError>) -> [(String, String)] {
        switch ending {
        case .success(let status): return [("http.response.status_code", label(of: status))]
        case .failure(let error):
            guard let status = error.httpStatus else { return [("error.type", name(of: error))] }
            let isStatus = status >= 400
            return [
                ("http.response.status_code", label(of: status)),
                ("error.type", isStatus ? label(of: status) : name(of: error)),
            ]
        }
    }

    /// The name of the error's case, such as `timedOut`; there are no more than those.
    private static func name(of error: SimpleNetworkingError) -> String {
        Mirror(reflecting: error).children.first?.label ?? other
    }
}
