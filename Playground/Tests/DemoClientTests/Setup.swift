import DemoClient
import DemoServer
import Foundation
import SimpleNetworking
import SimpleNetworkingTesting

/// Runs a test with a server of its own, and a client of it.
func withServer(_ engine: Engine, _ body: (DemoServer, Demo) async throws -> Void) async throws {
    let server = try await DemoServer.start()
    do {
        try await body(server, Demo(baseURL: server.baseURL, configure: engine.select))
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
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

/// The two engines that a client may run on.
enum Engine: CaseIterable, Sendable {
    case usual, urlSession

    func select(_ configuration: inout SimpleNetworking.Configuration) {
        if self == .urlSession { configuration.sessionDelegate = SilentDelegate() }
        configuration.logger = .silent
    }
}

private final class SilentDelegate: NSObject, URLSessionDelegate, Sendable {}
