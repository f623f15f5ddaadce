import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// Provides the network, the clock and the random choices of a simulation.
///
/// See ``simulate(seeds:fileID:filePath:line:column:_:)``. Every choice depends only on the seed.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public final class SimulatedWorld: Sendable {
    /// The seed of this run.
    public let seed: Int
    /// The server, which responds to requests according to the rules that you add.
    public let server: StubTransport
    /// The clock of this world, whose time passes automatically.
    public let clock: VirtualClock
    let scheduler: SimulationScheduler
    private let network: SimulatedNetwork

    init(seed: Int) {
        self.seed = seed
        scheduler = SimulationScheduler(seed: seed)
        clock = scheduler.clock
        // A rule that a run doesn't use indicates no problem in the test.
        server = StubTransport(clock: scheduler.clock, at: nil)
        network = SimulatedNetwork(scheduler, server)
    }

    /// Sets a client's transport, clock, callback queue and logger to those of this world, and adds a monitor.
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

    /// The date in this world, which passes with its clock: `$0.cache = ResponseCache(now: { world.date })`.
    public var date: Date { Date(timeIntervalSince1970: 1_700_000_000 + clock.now) }

    /// Releases the rules and the requests, whose closures usually retain the world.
    func end() {
        let state = server.state.withLock { state in
            defer { state = StubTransport.State() }
            return state
        }
        withExtendedLifetime(state) {}
    }

    // MARK: The network

    /// The faults that may replace a response, whether or not the server has received the request.
    ///
    /// The default faults are a lost connection, a failed connection attempt, a 503, and silence until the timeout. If
    /// there are any faults, a response may also take as long as the timeout.
    public var faults: [StubResponse] {
        get { network.conditions.withLock { $0.faults } }
        set { network.conditions.withLock { $0.faults = newValue } }
    }

    /// The fraction of requests that have a fault, from 0 to 1.
    ///
    /// The default is 0.2.
    public var faultRate: Double {
        get { network.conditions.withLock { $0.faultRate } }
        set { network.conditions.withLock { $0.faultRate = newValue } }
    }

    /// The hosts that may receive each other's secrets.
    ///
    /// The default is empty, which means that a credential may be sent only to the origin that first received it.
    public var trustedHosts: Set<String> {
        get { network.conditions.withLock { $0.trustedHosts } }
        set { network.conditions.withLock { $0.trustedHosts = newValue } }
    }

    // MARK: Chance

    /// Returns true with the given probability, from 0 (never) to 1 (always).
    public func chance(_ probability: Double) -> Bool {
        Double(scheduler.number(in: 0...999)) < (probability * 1_000).rounded(.towardZero)
    }

    /// Returns a random number in the given range.
    public func number(in range: ClosedRange<Int>) -> Int { scheduler.number(in: range) }

    /// Returns a random option from the given array, which must not be empty.
    public func choose<Option>(_ options: [Option]) -> Option { options[scheduler.number(in: 0...options.count - 1)] }

    /// Runs an action, such as cancelling a request, at a random moment of the run.
    ///
    /// - Parameters:
    ///   - name: The name of the action, for the trace.
    ///   - action: The action to run.
    public func sometime(_ name: String, _ action: @escaping @Sendable () -> Void) {
        let story = scheduler.story
        let work: @Sendable () -> Void = {
            story.add(.note { name })
            action()
        }
        let delay = choose([0, 0, 0.01, 1, 2, 3, 8, 60])
        if delay == 0 { scheduler.run(work) } else { _ = clock.schedule(after: delay, for: .action, work) }
    }

    /// Waits for a random time, up to several seconds, so that other events can happen in the meantime.
    public func pause() async {
        let gate = Gate()
        let delay = choose([0, 0, 0.01, 1, 5])
        if delay == 0 { scheduler.run { gate.open() } }
        let cancel = delay == 0 ? {} : clock.schedule(after: delay, for: .action) { gate.open() }
        defer { cancel() }
        try? await gate.wait()
    }

    /// Waits until nothing else can happen: all requests have ended, and their handlers have run.
    public func settled() async { await scheduler.settled() }

    // MARK: Expectations

    /// Fails the run if the given condition is false.
    ///
    /// You can call this method in any handler.
    public func expect(_ condition: Bool, _ problem: @autoclosure () -> String) {
        if !condition { scheduler.story.report(problem()) }
    }

    /// Adds a line to the trace.
    public func note(_ text: @escaping @autoclosure @Sendable () -> String) { scheduler.story.add(.note(text)) }
}

extension AlarmLabel {
    /// The label of a simulation's scheduled action.
    static let action = AlarmLabel(rawValue: "action")
}
