import DemoServer
import Foundation

/// Runs a test with a server of its own, and a URL there.
package func withServer(at path: String = "", _ body: (DemoServer, URL) async throws -> Void) async throws {
    let server = try await DemoServer.start()
    do {
        try await body(server, path.isEmpty ? server.baseURL : server.baseURL.appendingPathComponent(path))
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}
