import Foundation
import Testing

@testable import SimpleNetworking

@Suite("URLSessionTransport, lifetime", .timeLimit(.minutes(5)))
struct URLSessionLifetimeTests {
    @Test
    func anOwnSessionIsInvalidatedWhenItsTransportGoes() async throws {
        let server = try RawServer { .echo($0) }
        weak var router: ExchangeRouter?
        do {
            let transport = URLSessionTransport(configuration: .ephemeral)
            router = transport.router
            _ = try await transport.get(server.url())
            #expect(router != nil)
        }
        // A session holds its delegate until it is invalid.
        try await withinSeconds(120) { [router = Weak(router)] in while router.object != nil { await Task.yield() } }
    }

    @Test
    func aCallersSessionStaysAsItWas() async throws {
        let server = try RawServer { .echo($0) }
        let session = URLSession(configuration: .ephemeral)
        let cache = session.configuration.urlCache
        _ = try await URLSessionTransport(session: session).get(server.url())
        _ = try await URLSessionTransport(session: session).get(server.url())
        #expect(session.configuration.urlCache === cache)
    }
}

private final class Weak<Object: AnyObject & Sendable>: Sendable {
    private let box: Locked<() -> Object?>

    init(_ object: Object?) { box = Locked { [weak object] in object } }

    var object: Object? { box.withLock { $0() } }
}
