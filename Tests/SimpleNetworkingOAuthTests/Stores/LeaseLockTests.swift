import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingOAuth

@Suite(.timeLimit(.minutes(5)))
struct LeaseLockTests {
    private struct Broken: Error {}

    /// What the Keychain does, in memory.
    private final class MemoryItems: LeaseItems {
        let item = Locked<Lease?>(nil)
        /// The owners that were found at each look.
        let looks = Recorder<String>()

        func add(_ lease: Lease) throws -> Bool {
            item.withLock { item in
                if item != nil { return false }
                item = lease
                return true
            }
        }

        func read() throws -> Lease? {
            let lease = item.withLock { $0 }
            looks.add(lease?.owner ?? "")
            return lease
        }

        func remove(_ lease: Lease) throws { item.withLock { if $0?.owner == lease.owner { $0 = nil } } }
    }

    private let items = MemoryItems()
    private let clock = VirtualClock()

    private func lock(timeout: TimeInterval = 60) -> LeaseLock<MemoryItems> {
        LeaseLock(items: items, name: "notes/ada", timeout: timeout, clock: clock) { [clock] in
            Example.start.addingTimeInterval(clock.now)
        }
    }

    private func other(expiresIn seconds: TimeInterval) -> Lease {
        Lease(owner: "other", expiresAt: Example.start.addingTimeInterval(seconds))
    }

    /// Lets virtual time pass, in steps that are shorter than any pause, until a task has ended.
    private func passTime(until task: Task<some Sendable, some Error>) async throws {
        let hasEnded = Locked(false)
        let watch = Task {
            _ = await task.result
            hasEnded.withLock { $0 = true }
        }
        while !hasEnded.withLock({ $0 }) {
            if !clock.alarms.isEmpty { clock.advance(by: 0.01) }
            await Task.yield()
        }
        await watch.value
    }

    @Test
    func theLockIsReleasedAfterTheWorkEvenIfThatFails() async throws {
        #expect(try await lock().exclusively { items.item.withLock { $0 != nil } })
        #expect(items.item.withLock { $0 } == nil)
        await #expect(throws: Broken.self) { try await lock().exclusively { throw Broken() } }
        #expect(items.item.withLock { $0 } == nil)
    }

    @Test
    func twoProgramsNeverWorkAtOnce() async throws {
        let running = Locked(0)
        let most = Locked(0)
        let lock = lock(timeout: 10_000)
        let all = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await lock.exclusively {
                            let count = running.withLock { running in
                                running += 1
                                return running
                            }
                            most.withLock { $0 = max($0, count) }
                            await Task.yield()
                            running.withLock { $0 -= 1 }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        try await passTime(until: all)
        try await all.value
        #expect(most.withLock { $0 } == 1)
    }

    @Test
    func aLockThatHasExpiredIsTakenOver() async throws {
        items.item.withLock { $0 = other(expiresIn: 30) }
        let lock = lock()
        let task = Task { try await lock.exclusively { items.item.withLock { $0?.owner } } }
        try await passTime(until: task)
        #expect(try await task.value != "other")
        #expect(clock.now >= 30 && clock.now < 31)
        #expect(items.item.withLock { $0 } == nil)
    }

    @Test
    func aLockOfATimeBeforeTheClockWasSetBackIsTakenOver() async throws {
        items.item.withLock { $0 = other(expiresIn: 3600) }
        #expect(try await lock().exclusively { items.item.withLock { $0?.owner } } != "other")
        #expect(clock.now == 0)
    }

    @Test
    func aLockThatIsHeldForTooLongIsAnError() async throws {
        items.item.withLock { $0 = other(expiresIn: 40) }
        let lock = lock(timeout: 5)
        let task = Task { try await lock.exclusively {} }
        try await passTime(until: task)
        await #expect(throws: CredentialStoreError.locked(path: "notes/ada", 5)) { try await task.value }
        #expect(items.item.withLock { $0?.owner } == "other")
        // A first look at once, then less and less often.
        #expect(items.looks.elements.count < 20)
    }

    @Test
    func onlyTheOwnLockIsReleased() async throws {
        try await lock().exclusively {
            // It has expired, and another program has taken it over.
            items.item.withLock { $0 = other(expiresIn: 40) }
        }
        #expect(items.item.withLock { $0?.owner } == "other")
    }

    @Test
    func cancellingEndsTheWait() async throws {
        items.item.withLock { $0 = other(expiresIn: 40) }
        let lock = lock()
        let task = Task { try await lock.exclusively {} }
        try await eventually { !clock.alarms.isEmpty }
        task.cancel()
        try await passTime(until: task)
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// As two apps of an access group do, with a server that accepts each refresh token once.
    @Test
    func twoSessionsThatShareALockedStoreRefreshOnce() async throws {
        struct SharedStore: CredentialStore {
            let memory: Locked<OAuthToken?>
            let lock: LeaseLock<MemoryItems>

            func load() async throws -> OAuthToken? { memory.withLock { $0 } }
            func save(_ token: OAuthToken) async throws { memory.withLock { $0 = token } }
            func delete() async throws { memory.withLock { $0 = nil } }
            func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
                try await lock.exclusively(work)
            }
        }
        let refused = StubResponse.json(#"{"error":"invalid_grant"}"#, status: 400)
        let server = StubTransport()
            .on(.post, "/token", .json(#"{"access_token":"new","refresh_token":"r2","expires_in":3600}"#), times: 1)
            .on(.post, "/token", refused)
        let memory = Locked<OAuthToken?>(Example.expired())
        let sessions = (0..<2).map { _ in
            OAuthSession(Example.configuration, store: SharedStore(memory: memory, lock: lock())) {
                $0.transport = server
            }
        }
        let tokens = Task {
            try await withThrowingTaskGroup(of: Secret.self) { group in
                for session in sessions { group.addTask { try await session.currentToken().accessToken } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        try await passTime(until: tokens)
        #expect(try await tokens.value == [Secret("new"), Secret("new")])
        #expect(server.requests.count == 1)
        #expect(items.item.withLock { $0 } == nil)
    }
}
