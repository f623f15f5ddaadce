import ClientTestSupport
import DemoClient
import DemoServer
import Foundation
import SimpleNetworking
import SimpleNetworkingTesting

/// Runs a test with a server of its own, and a client of it.
func withServer(_ engine: Engine, _ body: (DemoServer, Demo) async throws -> Void) async throws {
    try await withServer { server, url in try await body(server, Demo(baseURL: url, configure: engine.select)) }
}

extension Demo {
    /// A client of a stubbed server.
    convenience init(_ server: StubTransport) {
        self.init(baseURL: URL(string: "https://demo.example") ?? URL(fileURLWithPath: "/")) {
            $0.transport = server
            $0.logger = .silent
        }
    }
}
