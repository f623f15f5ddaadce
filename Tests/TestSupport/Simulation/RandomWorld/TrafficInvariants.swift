import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic

/// Never more requests are in flight than the client's limits permit.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class Limits: Invariant {
    private let scene: RandomScene
    private let rules: TrafficRules
    /// The requests in flight that need a slot, each with its origin.
    private let flying = Locked<[Int: String]>([:])

    init(_ scene: RandomScene, _ rules: TrafficRules) { (self.scene, self.rules) = (scene, rules) }

    func check(_ sent: SentRequest) {
        // What others wait for needs no slot.
        if sent.entry?.traits.isUrgent == true { return }
        let (all, own) = flying.withLock { flying in
            flying[sent.ordinal] = sent.origin
            return (flying.count, flying.values.filter { $0 == sent.origin }.count)
        }
        scene.world.expect(all <= rules.inFlight ?? .max, "\(sent.name) is one of \(all) requests in flight")
        let isPermitted = own <= rules.inFlightPerOrigin ?? .max
        scene.world.expect(isPermitted, "\(sent.name) is one of \(own) requests in flight to its origin")
    }

    func noteHead(_ status: Int, _ headers: HTTPHeaders, of sent: SentRequest) {
        if sent.entry?.traits.isStream == true { flying.withLock { $0[sent.ordinal] = nil } }
    }

    func noteCancellation(of sent: SentRequest) { flying.withLock { $0[sent.ordinal] = nil } }
    func noteEnd(_ end: SentRequest.End, of sent: SentRequest) { flying.withLock { $0[sent.ordinal] = nil } }
}

/// Nothing is sent before the time that the server has named.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class HeededServer: Invariant {
    private let scene: RandomScene
    private let rules: TrafficRules
    /// The time from which each user may send to each origin again.
    private let openings = Locked<[String: TimeInterval]>([:])

    init(_ scene: RandomScene, _ rules: TrafficRules) { (self.scene, self.rules) = (scene, rules) }

    func check(_ sent: SentRequest) {
        let opening = openings.withLock { $0[key(of: sent)] ?? 0 }
        scene.world.expect(
            sent.time >= opening || !rules.respectsRateLimits,
            "\(sent.name) is sent at \(sent.time), but the server said not before \(opening)"
        )
    }

    func noteEnd(_ end: SentRequest.End, of sent: SentRequest) {
        guard case .success(let response) = end, let seconds = wait(after: response) else { return }
        let opening = scene.world.clock.now + min(seconds, rules.maxServerWait)
        openings.withLock { $0[key(of: sent)] = max(opening, $0[key(of: sent)] ?? 0) }
    }

    private func wait(after response: TransportResponse) -> TimeInterval? {
        let headers = response.headers
        if [403, 429, 503].contains(response.httpStatus), let seconds = headers["Retry-After"] {
            return TimeInterval(seconds)
        }
        if headers["RateLimit-Remaining"] == "0" { return headers["RateLimit-Reset"].flatMap { TimeInterval($0) } }
        return response.httpStatus == 429 ? 1 : nil
    }

    /// What the server says is meant for the account that it knows, and an unauthenticated request has none.
    private func key(of sent: SentRequest) -> String {
        let isUnauthenticated = sent.entry?.traits.isUnauthenticated ?? false
        // What a former user's redirect asks for is counted with that user.
        let session = min(sent.entry?.session ?? sent.session, sent.session)
        return "\(sent.origin) \(session) \(sent.request.headers["Authorization"] != nil) \(isUnauthenticated)"
    }
}

/// Nothing is sent to an origin whose circuit is open, and only one request tries a half-open one.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class OpenBreaker: Invariant {
    /// Half of the calls must fail, in a window that lasts as long as the world.
    struct Rules: Sendable {
        let minimumCalls: Int
        let openTime: TimeInterval
    }

    private struct Circuit {
        var calls = 0
        var failures = 0
        /// The time until which nothing is sent; nil if the circuit is closed.
        var until: TimeInterval?
        /// Changes with each opening and closing: a call says nothing of a later phase.
        var phase = 0
    }

    private struct State {
        var circuits: [String: Circuit] = [:]
        /// The phase in which each call began.
        var phases: [Int: Int] = [:]
    }

    private let scene: RandomScene
    private let rules: Rules
    private let state = Locked(State())

    init(_ scene: RandomScene, _ rules: Rules) { (self.scene, self.rules) = (scene, rules) }

    func check(_ sent: SentRequest) {
        let until = state.withLock { state -> TimeInterval? in
            var circuit = state.circuits[sent.origin] ?? Circuit()
            defer {
                state.circuits[sent.origin] = circuit
                state.phases[sent.ordinal] = circuit.phase
            }
            guard let until = circuit.until else { return nil }
            if sent.time < until { return until }
            if circuit.calls == 0 { circuit.phase += 1 }
            // Another request may try after the same time.
            (circuit.calls, circuit.until) = (1, sent.time + rules.openTime)
            return nil
        }
        scene.world.expect(
            until == nil,
            "\(sent.name) is sent to an open circuit at \(sent.time), before \(until ?? 0)"
        )
    }

    /// The head of a stream settles a probe, because others wait for it.
    func noteHead(_ status: Int, _ headers: HTTPHeaders, of sent: SentRequest) {
        guard case .stream = sent.request.sink, (200...299).contains(status) else { return }
        state.withLock { state in
            guard let circuit = state.circuits[sent.origin], state.phases[sent.ordinal] == circuit.phase,
                circuit.until != nil
            else { return }
            state.circuits[sent.origin] = Circuit(until: nil, phase: circuit.phase + 1)
        }
    }

    func noteEnd(_ end: SentRequest.End, of sent: SentRequest) {
        let hasFailed: Bool? =
            switch end {
            case .success(let response): (500...599).contains(response.httpStatus)
            case .failure(let error): Self.isFailure(error)
            }
        let now = scene.world.clock.now
        state.withLock { state in
            guard var circuit = state.circuits[sent.origin], state.phases[sent.ordinal] == circuit.phase else { return }
            defer { state.circuits[sent.origin] = circuit }
            if circuit.until != nil {
                guard let hasFailed else { return circuit.until = now }
                circuit = Circuit(until: hasFailed ? now + rules.openTime : nil, phase: circuit.phase + 1)
            } else if let hasFailed {
                circuit.calls += 1
                if hasFailed { circuit.failures += 1 }
                guard hasFailed, circuit.calls >= rules.minimumCalls, 2 * circuit.failures >= circuit.calls else {
                    return
                }
                circuit = Circuit(until: now + rules.openTime, phase: circuit.phase + 1)
            }
        }
    }

    private static func isFailure(_ error: any Error) -> Bool? {
        if let kind = SentRequest.kind(of: error) { return kind == .offline || kind == .unreadableBody ? nil : true }
        if case SimpleNetworkingError.timedOut(let timeout, _) = error {
            if case .deadline = timeout { return nil }
            return true
        }
        return nil
    }
}
