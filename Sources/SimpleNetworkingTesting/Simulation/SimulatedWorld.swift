import Foundation
import SimpleNetworking

/// Gives a simulation its network, its clock and its chances; see ``simulate(seeds:fileID:filePath:line:column:_:)``.
///
/// All that is chosen here depends on the seed alone.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public final class SimulatedWorld: Sendable {
    /// The seed of this run.
    public let seed: Int
    /// The server that responds when the network brings it a request; give it rules.
    public let server: StubTransport
    /// The clock; time passes by itself.
    public let clock: VirtualClock
    let scheduler: SimulationScheduler
    private let network: SimulatedNetwork

    init(seed: Int) {
        self.seed = seed
        scheduler = SimulationScheduler(seed: seed)
        clock = scheduler.clock
        // What a run does not use says nothing about the test.
        server = StubTransport(clock: scheduler.clock, at: nil)
        network = SimulatedNetwork(scheduler, server)
    }

    /// Puts a client into this world: sets its transport, its clock, its callback queue and its logger, and adds a
    /// monitor.
    ///
    /// ```swift
    /// let api = SimpleNetworking(host: "api.example.com") { world.configure(&$0) }
    /// ```
    public func configure(_ configuration: inout SimpleNetworking.Configuration) {
        configuration.transport = network
        configuration.clock = clock
        configuration.logger = .silent
        configuration.eventMonitors.append(scheduler.story)
        configuration.simulate(on: scheduler.engine)
    }

    /// Makes a cache whose responses age in this world's time.
    public func makeCache() -> ResponseCache {
        ResponseCache { [clock] in Date(timeIntervalSince1970: 1_700_000_000 + clock.now) }
    }

    /// Releases the rules and the requests, whose closures usually keep the world.
    func end() {
        let state = server.state.withLock { state in
            defer { state = StubTransport.State() }
            return state
        }
        withExtendedLifetime(state) {}
    }

    // MARK: The network

    /// What may come in place of a response, whether or not the server has got the request.
    ///
    /// The default is a lost connection, one that can't be made, a 503, and silence until the timeout. If there are any, a
    /// response may also take as long as the timeout.
    public var faults: [StubResponse] {
        get { network.conditions.withLock { $0.faults } }
        set { network.conditions.withLock { $0.faults = newValue } }
    }

    /// The part of requests that a fault meets, from 0 to 1.
    ///
    /// The default is 0.2.
    public var faultRate: Double {
        get { network.conditions.withLock { $0.faultRate } }
        set { network.conditions.withLock { $0.faultRate = newValue } }
    }

    /// The hosts that may see each other's secrets.
    ///
    /// The default is none: a credential stays with the origin that it was first sent to.
    public var trustedHosts: Set<String> {
        get { network.conditions.withLock { $0.trustedHosts } }
        set { network.conditions.withLock { $0.trustedHosts = newValue } }
    }

    // MARK: Chance

    /// Returns true so often: never for 0, always for 1.
    public func chance(_ probability: Double) -> Bool {
        Double(scheduler.number(in: 0...999)) < (probability * 1_000).rounded(.towardZero)
    }

    /// Returns a number from a range.
    public func number(in range: ClosedRange<Int>) -> Int { scheduler.number(in: range) }

    /// Returns one of the options, of which there must be at least one.
    public func choose<Option>(_ options: [Option]) -> Option { options[scheduler.number(in: 0...options.count - 1)] }

    /// Does something at any moment of the run, such as cancelling a request.
    ///
    /// - Parameters:
    ///   - name: What it is, for the trace.
    ///   - action: What to do.
    public func sometime(_ name: String, _ action: @escaping @Sendable () -> Void) {
        let story = scheduler.story
        let work: @Sendable () -> Void = {
            story.add(.note { name })
            action()
        }
        let delay = choose([0, 0, 0.01, 1, 2, 3, 8, 60])
        if delay == 0 { scheduler.run(work) } else { _ = clock.schedule(after: delay, for: .action, work) }
    }

    /// Lets a part of a second pass, or some of them, or no time at all: other things may happen meanwhile.
    public func pause() async {
        let gate = Gate()
        let delay = choose([0, 0, 0.01, 1, 5])
        if delay == 0 { scheduler.run { gate.open() } }
        let cancel = delay == 0 ? {} : clock.schedule(after: delay, for: .action) { gate.open() }
        defer { cancel() }
        try? await gate.wait()
    }

    /// Returns when nothing can happen any more: all requests have ended, and their handlers have run.
    public func settled() async { await scheduler.settled() }

    // MARK: What must be

    /// Fails the run if the condition is false; any handler may call it.
    public func expect(_ condition: Bool, _ problem: @autoclosure () -> String) {
        if !condition { scheduler.story.report(problem()) }
    }

    /// Adds a line to the trace.
    public func note(_ text: @escaping @autoclosure @Sendable () -> String) { scheduler.story.add(.note(text)) }
}

extension AlarmLabel {
    /// What a simulation does at a time.
    static let action = AlarmLabel(rawValue: "action")
}
