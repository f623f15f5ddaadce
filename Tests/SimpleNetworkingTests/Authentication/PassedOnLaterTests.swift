import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking

/// A subclass passes requests on to `super.execute(request:)` later, and a refresh is running by then.
@Suite(.timeLimit(.minutes(5)))
struct PassedOnLaterTests {
    /// Passes each request on from another thread.
    private final class Elsewhere: SimpleNetworking, @unchecked Sendable {
        override func execute(request: SimpleRequest) {
            Thread.detachNewThread { self.passOn(request) }
        }

        private func passOn(_ request: SimpleRequest) { super.execute(request: request) }
    }

    /// Holds some requests back until it is told to pass them on.
    private final class Holding: SimpleNetworking, @unchecked Sendable {
        private let held = Locked<[SimpleRequest]>([])

        override func execute(request: SimpleRequest) {
            if request.path == "/held" { held.withLock { $0.append(request) } } else { super.execute(request: request) }
        }

        func passOn() { for request in held.withLock({ $0 }) { super.execute(request: request) } }
    }

    private let server = StubTransport()
        .on("/token") { $0.headers["Authorization"] == nil ? .text("t1") : .status(403) }
        .on("*") { $0.headers["Authorization"] == "Bearer t1" ? .json("{}") : .status(401) }

    private func configure(_ configuration: inout SimpleNetworking.Configuration) {
        configuration.transport = server
        configuration.logger = .quiet
        configuration.refreshTimeout = 20
    }

    @Test
    func aRequestOfARefreshDoesNotWaitForItThoughAnotherThreadPassesItOn() async throws {
        let client = Elsewhere(host: "api.example.com", configure: configure)
        client.authenticate(
            with: BearerAuthenticator(token: Secret("t0")) { [weak client] _ in
                Secret(try await client?.send(SimpleNetworking.post("/token")).text ?? "")
            }
        )
        #expect(await client.get("/x").ended().value != nil)
    }

    @Test
    func aRequestThatARefreshPassesOnIsNoneOfItsOwn() async throws {
        let client = Holding(host: "api.example.com", configure: configure)
        let held = client.get("/held")
        client.authenticate(
            with: BearerAuthenticator(token: Secret("t0")) { [weak client] _ in
                client?.passOn()
                // It waits for the refresh, or has been sent without a token.
                try await eventually { held.hasBegun }
                return Secret("t1")
            }
        )
        #expect(await client.get("/x").ended().value != nil)
        #expect(await held.ended().value != nil)
        #expect(server.requests(to: "/held").map { $0.headers["Authorization"] == nil } == [false])
    }
}

extension SimpleRequest {
    /// Whether it was sent, or waits for a refresh.
    fileprivate var hasBegun: Bool {
        trace.events.contains { event in
            switch event.kind {
            case .sent, .refresh: true
            default: false
            }
        }
    }
}
