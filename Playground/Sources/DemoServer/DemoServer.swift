import FlyingFox
import FlyingSocks
import Foundation

/// Serves the tour's and the tests' requests on a loopback port, inside this process.
///
/// Any number of servers may run at a time; each has a port, tokens and a log of its own.
public final class DemoServer: Sendable {
    /// The base URL of the routes, such as `http://127.0.0.1:40123`.
    public let baseURL: URL
    /// The requests so far, in the order of arrival.
    public let log: RequestLog

    private let server: HTTPServer
    private let running: Task<Void, any Error>

    /// Starts a server and returns once it listens.
    ///
    /// - Parameter port: The port to listen at. The default, 0, takes any free one.
    /// - Returns: The running server.
    /// - Throws: `StartFailure`, when the port is taken or not allowed.
    public static func start(port: UInt16 = 0) async throws -> DemoServer {
        let log = RequestLog()
        let server = HTTPServer(
            address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port),
            timeout: SlowRoutes.longestDelay + 10,
            pool: SocketPool(queue: PromptQueue(base: PlatformQueue(maxEvents: 20))),
            logger: .disabled,
            handler: Router(groups: allGroups(), log: log)
        )
        let listening = Task { try await server.waitUntilListening() }
        let running = Task {
            // A port that is taken ends the waiting at once.
            defer { listening.cancel() }
            try await server.run()
        }
        do {
            try await listening.value
            guard case .ip4(_, let port) = await server.listeningAddress,
                let baseURL = URL(string: "http://127.0.0.1:\(port)")
            else { throw SocketError.unsupportedAddress }
            return DemoServer(baseURL: baseURL, log: log, server: server, running: running)
        } catch {
            running.cancel()
            guard case .failure(let reason) = await running.result else { throw error }
            throw StartFailure(port: port, reason: reason.localizedDescription)
        }
    }

    private init(baseURL: URL, log: RequestLog, server: HTTPServer, running: Task<Void, any Error>) {
        self.baseURL = baseURL
        self.log = log
        self.server = server
        self.running = running
    }

    /// Closes the port and every connection, and returns when both are closed.
    public func stop() async {
        await server.stop()
        _ = await running.result
    }

    /// The routes, one per element: a pattern and a description of the response.
    public static var routes: [(pattern: String, summary: String)] {
        allGroups().flatMap(\.routes).map { ($0.pattern, $0.summary) }
    }

    private static func allGroups() -> [any RouteGroup] {
        let nation = NationRecords()
        return [
            GreetingRoutes(), UserRoutes(), ItemRoutes(), EchoRoutes(), StatusRoutes(), RedirectRoutes(),
            SlowRoutes(), PrivateRoutes(), LockedRoutes(), HumonRoutes(),
            NationRoutes(records: nation), NationOAuthRoutes(records: nation),
        ]
    }
}

/// Says why a demo server could not start.
public struct StartFailure: LocalizedError {
    let port: UInt16
    let reason: String

    /// The port, the reason and what to do.
    public var errorDescription: String? {
        "No server could be started at port \(port): \(reason) Take another port, or 0 for any free one."
    }
}
