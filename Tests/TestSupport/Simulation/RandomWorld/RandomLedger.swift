import Foundation
import SimpleNetworking
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic

/// Knows the requests of a random world, and for which of them something leaves the client.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class RandomLedger: Sendable {
    /// A request of the world.
    final class Entry: Sendable {
        struct State {
            weak var request: SimpleRequest?
            /// The session in which it was executed.
            var session = 0
            /// Its position among the requests that the user has executed.
            var place = 0
            /// How often the user has asked for it to be sent again.
            var wishes = 0
            /// Whether its execution has not ended.
            var isActive = false
            var hasBegun = false
            /// Whether any of its executions has succeeded.
            var hasSucceeded = false
        }

        let id: String
        let traits: RandomRequest.Traits
        private let state: Locked<State>

        fileprivate init(_ id: String, _ traits: RandomRequest.Traits, _ request: SimpleRequest, session: Int) {
            (self.id, self.traits) = (id, traits)
            state = Locked(State(request: request, session: session))
        }

        /// Whether the user has suspended it.
        var isSuspended: Bool { state.withLock(\.request)?.isSuspended ?? false }
        var session: Int { state.withLock(\.session) }
        var place: Int { state.withLock(\.place) }
        var wishes: Int { state.withLock(\.wishes) }
        var isActive: Bool { state.withLock(\.isActive) }
        var hasSucceeded: Bool { state.withLock(\.hasSucceeded) }

        /// Whether it may share a transfer.
        func coalesces(on client: SimpleNetworking?) -> Bool {
            traits.coalesces ?? client?.configuration.traffic.coalesces ?? false
        }

        /// Notes that the user wants it to be sent again.
        func wish() { state.withLock { $0.wishes += 1 } }

        /// Notes that it begins, and belongs to the user of this session from now on.
        func begin(in session: Int, isFirst: Bool = false) {
            state.withLock { state in
                if isFirst, state.hasBegun { return }
                (state.session, state.hasBegun) = (session, true)
            }
        }

        fileprivate func change(_ change: (inout State) -> Void) { state.withLock(change) }
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The numbers by which a client's requests are known to monitors.
        var numbers: [Int: String] = [:]
        var places = 0
        var sent = 0
    }

    private let state = Locked(State())
    private let world: SimulatedWorld
    private let users: RandomUsers

    init(_ world: SimulatedWorld, _ users: RandomUsers) { (self.world, self.users) = (world, users) }

    /// The tag by which a request is known.
    static let tag = "entry"

    var entries: [Entry] { state.withLock { Array($0.entries.values) } }
    subscript(id: String) -> Entry? { state.withLock { $0.entries[id] } }

    /// Adds a request, which the caller tags.
    @discardableResult
    func add(_ traits: RandomRequest.Traits, _ request: SimpleRequest) -> Entry {
        let session = users.session
        let entry = state.withLock { state in
            let id = "\(state.entries.count + 1) \(request.path)"
            let entry = Entry(id, traits, request, session: session)
            state.entries[id] = entry
            return entry
        }
        request.tag(Self.tag, entry.id)
        execute(entry)
        return entry
    }

    /// Notes that the user executes a request.
    func execute(_ entry: Entry) {
        let place = state.withLock { state in
            state.places += 1
            return state.places
        }
        let session = users.session
        entry.change { entry in
            (entry.place, entry.session, entry.isActive) = (place, session, true)
            entry.wishes += 1
        }
    }

    /// Notes that a request leaves the client.
    func leave(_ request: TransportRequest, at now: TimeInterval) -> SentRequest {
        let (ordinal, entry) = state.withLock { state in
            state.sent += 1
            let id = request.number.flatMap { state.numbers[$0] }
            return (state.sent, id.flatMap { state.entries[$0] })
        }
        return SentRequest(ordinal: ordinal, request: request, entry: entry, session: users.session, time: now)
    }

    /// The request for which a request on the wire was sent.
    func entry(of request: TransportRequest) -> Entry? {
        state.withLock { state in request.number.flatMap { state.numbers[$0] }.flatMap { state.entries[$0] } }
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension RandomLedger: EventMonitor {
    /// Notes the number of a request, and whether it has ended; the newest request of a key must not be replaced.
    func observe(_ event: RequestEvent, of request: ObservedRequest) {
        guard let id = request.tags[Self.tag] else { return }
        state.withLock { $0.numbers[request.number] = id }
        guard let entry = self[id] else { return }
        // A stream is executed when its first chunk is awaited.
        if entry.traits.isStream { entry.begin(in: users.session, isFirst: true) }
        switch event.kind {
        case .ended(let end):
            entry.change { entry in
                entry.isActive = false
                if case .success = end { entry.hasSucceeded = true }
            }
        case .replaced:
            let hasNewer = entries.contains { $0.traits.key == entry.traits.key && $0.place > entry.place }
            world.expect(hasNewer, "\(id), the newest with its key, was replaced")
        case .sent: entry.change { $0.isActive = true }
        default: break
        }
    }
}
