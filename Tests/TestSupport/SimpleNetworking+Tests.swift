import Foundation
import SimpleNetworkingCore
import SimpleNetworkingTesting

/// The clients of most tests: quiet, and each of one server. A subclass is made in the same way.
extension SimpleNetworking {
    /// Makes a client whose requests a stub or another transport answers.
    package convenience init(
        over transport: any Transport,
        through middleware: [any Middleware] = [],
        host: String = "api.example.com",
        clock: any RequestClock = SystemClock(),
        _ configure: (inout Configuration) -> Void = { _ in }
    ) {
        self.init(host: host) {
            $0.transport = transport
            $0.middleware = middleware
            $0.clock = clock
            $0.logger = .quiet
            configure(&$0)
        }
    }

    /// Makes a client of a raw server, with the engine that clients use by default.
    package convenience init(of server: RawServer, _ configure: (inout Configuration) -> Void = { _ in }) {
        self.init(baseURL: server.url()) {
            $0.logger = .quiet
            configure(&$0)
        }
    }

    /// Makes a client of a stub over a real socket.
    package convenience init(of server: LoopbackServer) {
        self.init(baseURL: server.url) { $0.logger = .quiet }
    }
}
