import Synchronization

/// Gives each request its client; after a number of requests the next client takes its place, and the old one goes.
final class Clients: Sendable {
    private let server: URL
    private let requestsEach: Int
    private let current: Mutex<(generation: Int, client: SimpleNetworking)>

    init(server: URL, requestsEach: Int) throws {
        self.server = server
        self.requestsEach = max(1, requestsEach)
        current = Mutex((0, try .fuzzed(server)))
    }

    func client(for number: Int) -> SimpleNetworking {
        current.withLock { current in
            let generation = number / requestsEach
            if generation > current.generation, let next = try? SimpleNetworking.fuzzed(server) {
                current = (generation, next)
            }
            return current.client
        }
    }
}
