import Foundation

@testable import SimpleNetworkingCore

extension RawServer {
    /// Serves one request per connection, keeps it open, and closes it without a response at the next request.
    static func brittle(
        whenClosing: @escaping @Sendable () -> Void = {}
    ) throws -> (server: RawServer, latch: Latch) {
        let latch = Latch()
        let server = try RawServer { request in
            guard request.path != "/warm" else { return .response(body: "warm").held(by: latch) }
            guard request.earlierOnConnection > 0 else { return .response(body: "fresh") }
            whenClosing()
            return .closed
        }
        return (server, latch)
    }

    /// Serves as `brittle` does, and lets a transport open so many connections that it keeps.
    static func brittle(
        warmedBy transport: any Transport,
        connections: Int = 4,
        whenClosing: @escaping @Sendable () -> Void = {}
    ) async throws -> RawServer {
        let (server, latch) = try brittle(whenClosing: whenClosing)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<connections {
                group.addTask { try await transport.get(server.url("/warm")).httpStatus }
            }
            await server.wait(forRequests: connections)
            latch.open()
            for try await status in group where status != 200 { throw NetworkFailure(.other, detail: "\(status)") }
        }
        return server
    }

    /// How many requests with this method came, whole.
    func count(of method: HTTPMethod) -> Int { requests.count { $0.method == method.rawValue } }
}
