import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

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

    /// Holds every request back while it is told to.
    private final class Pausing: SimpleNetworking, @unchecked Sendable {
        let isPausing = Locked(false)
        private let held = Locked<[SimpleRequest]>([])

        override func execute(request: SimpleRequest) {
            if isPausing.withLock({ $0 }) {
                held.withLock { $0.append(request) }
            } else {
                super.execute(request: request)
            }
        }

        var holdsOne: Bool { held.withLock { $0.count == 1 } }
        func passOn() { for request in held.withLock({ $0 }) { super.execute(request: request) } }
    }

    /// Signs each request's own user in.
    private final class SigningIn: SimpleNetworking, @unchecked Sendable {
        override func execute(request: SimpleRequest) {
            if let user = request.tags["user"] { authenticate(with: user, password: "p") }
            super.execute(request: request)
        }
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

    // MARK: Another user

    enum Session: CaseIterable { case field, authenticator, cookies }
    enum Time: CaseIterable { case first, again, queued }

    @Test(arguments: Session.allCases, Time.allCases)
    func aRequestThatIsHeldBackIsNotSentForTheNextUser(session: Session, time: Time) async throws {
        let server = StubTransport().on("/inbox", .json("{}"))
        let (bearer, jar) = (BearerAuthenticator(token: Secret("ada")), CookieJar())
        let client = Pausing(over: server) {
            switch session {
            case .field: $0.defaultHeaders["Authorization"] = "ada"
            case .authenticator: $0.authenticator = bearer
            case .cookies: $0.cookieJar = jar
            }
        }
        jar.store(["Set-Cookie": "user=ada; Path=/"], from: client.baseURL)
        let changeUser = {
            if session == .cookies { jar.removeAll() } else { client.signOut() }
            jar.store(["Set-Cookie": "user=bob; Path=/"], from: client.baseURL)
            client.headers["Authorization"] = session == .field ? "bob" : nil
            bearer.token = nil
            bearer.token = Secret("bob")
        }
        let ends = Recorder<Bool>()
        let request = SimpleNetworking.get("/inbox")
        request.on(
            isolation: nil,
            completion: { [request] result in
                ends.add(result.value != nil)
                guard time == .queued, ends.elements.count == 1 else { return }
                // It begins when this handler has returned.
                request.execute(on: client)
                changeUser()
            }
        )
        if time != .first {
            request.execute(on: client)
            await request.ended()
        }
        if time != .queued {
            _ = client.isPausing.exchange(true)
            request.execute(on: client)
            // One whose handlers are not all done begins when they are.
            try await eventually { client.holdsOne }
            changeUser()
            client.passOn()
        }
        try await eventually { ends.elements.count == (time == .first ? 1 : 2) }
        #expect(ends.elements.last == false)
        #expect(server.requests.count == (time == .first ? 0 : 1))
    }

    @Test
    func aSubclassMayChooseTheUserOfEachRequest() async throws {
        let server = StubTransport().on("/x", .json("{}"))
        let client = SigningIn(over: server)
        for user in ["ada", "bob"] { #expect(await client.get("/x") { $0.tag("user", user) }.ended().value != nil) }
        #expect(Set(server.requests.map { $0.headers["Authorization"] }).count == 2)
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
