import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic

@testable import SimpleNetworking
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// A client whose request to `/x` isn't sent before something ends that holds it back.
final class HeldRequest: Sendable {
    /// What holds the request back.
    enum Hold: Sendable {
        case suspension, connectivity, serverWord, turn
    }

    private final class Preparing: SimpleNetworking, @unchecked Sendable {
        let value = Locked("a")

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            attempt.headers["X-Prepared"] = value.withLock { $0 }
        }
    }

    let hold: Hold
    let server = StubTransport()
    let clock = VirtualClock()
    let client: SimpleNetworking
    /// Another client of the same server, which nothing holds back.
    let other: SimpleNetworking
    let bearer = BearerAuthenticator(token: Secret("ada"))
    let jar = CookieJar()
    /// The requests to `/x` that have reached the server.
    let arrived = Recorder<TransportRequest>()
    private let gate = Gate()
    private let isOff: Locked<Bool>

    /// - Parameters:
    ///   - hold: What holds the request back.
    ///   - isPrepared: Whether a hook prepares attempts.
    ///   - breaker: A circuit breaker of both clients.
    ///   - response: The response to the request.
    ///   - configure: Changes the settings of the client that is held back.
    init(
        _ hold: Hold,
        isPrepared: Bool = false,
        breaker: CircuitBreaker? = nil,
        response: StubResponse = .json("{}"),
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) {
        self.hold = hold
        let (isOff, arrived, jar) = (Locked(hold == .connectivity), arrived, jar)
        self.isOff = isOff
        server.on("/held", .json("{}").after(gate))
            .on("/limited", .status(429, headers: ["Retry-After": "30"]))
            .on("/broken", .status(500))
            .on("/cookie", .json("{}", headers: ["Set-Cookie": "sid=1; Path=/"]))
            .on("/x") { request in
                if isOff.withLock({ $0 }) { throw NetworkFailure(.offline) }
                arrived.add(request)
                return response
            }
            .on("*", .json("{}"))
        func set(_ configuration: inout SimpleNetworking.Configuration) {
            configuration.cookieJar = jar
            switch hold {
            case .suspension: break
            case .connectivity: configuration.traffic.waitsForConnectivity = true
            case .serverWord: configuration.traffic.respectsRateLimits = true
            case .turn: configuration.traffic.inFlight = 1
            }
            configure(&configuration)
        }
        let middleware: [any Middleware] = breaker.map { [$0] } ?? []
        client =
            isPrepared
            ? Preparing(over: server, through: middleware, clock: clock, set)
            : SimpleNetworking(over: server, through: middleware, clock: clock, set)
        other = SimpleNetworking(over: server, through: middleware, clock: clock) { $0.cookieJar = jar }
    }

    /// Executes the request, and waits until it is held back.
    func start(
        _ method: HTTPMethod = .get,
        _ change: (SimpleRequest) -> Void = { _ in }
    ) async throws -> SimpleRequest {
        let request = SimpleRequest(method, path: "/x")
        change(request)
        switch hold {
        case .suspension: request.suspend()
        case .connectivity: break
        case .serverWord: await client.get("/limited").ended()
        case .turn:
            client.get("/held")
            await gate.arrivals(1)
        }
        request.execute(on: client)
        switch hold {
        case .suspension: await settle()
        case .connectivity, .serverWord: await clock.alarms(1, for: .traffic)
        case .turn: try await eventually { request.trace.description.contains("waits for its turn") }
        }
        return request
    }

    /// Ends what holds the request back.
    func release(_ request: SimpleRequest) async throws {
        switch hold {
        case .suspension: request.resume()
        case .connectivity:
            _ = isOff.exchange(false)
            // It may have ended, and then waits for nothing.
            clock.advance(by: 10)
        case .serverWord: clock.advance(by: max(30 - clock.now, 0))
        case .turn: gate.open()
        }
    }

    /// Changes the value with which a hook prepares attempts.
    func prepare(with value: String) { _ = (client as? Preparing)?.value.exchange(value) }

    /// Lets requests be sent that must not be.
    func settle() async {
        for _ in 0..<3 {
            await other.get("/other").ended()
            for _ in 0..<100 { await Task.yield() }
        }
    }
}
