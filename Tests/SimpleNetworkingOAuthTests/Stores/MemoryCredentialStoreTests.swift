import SimpleNetworkingOAuth
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MemoryCredentialStoreTests {
    @Test
    func whatIsSavedIsLoadedUntilItIsDeleted() async {
        let store = MemoryCredentialStore()
        #expect(await store.load() == nil)
        await store.save(Example.fresh("a"))
        #expect(await store.load() == Example.fresh("a"))
        await store.delete()
        #expect(await store.load() == nil)
        #expect(await MemoryCredentialStore(Example.fresh("b")).load() == Example.fresh("b"))
    }

    @Test
    func noTwoAreInAtOnce() async throws {
        let store = MemoryCredentialStore()
        let inside = Locked((now: 0, most: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await store.exclusively {
                        inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        await Task.yield()
                        inside.withLock { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(inside.withLock { $0.most } == 1)
    }
}
