import ClientTestSupport
import DemoServer
import Foundation
import NationBuilderClient
import SimpleNetworking
import SimpleNetworkingTesting

/// Runs a test with a server of its own, and the nation's URL there.
func withNation(_ body: (DemoServer, URL) async throws -> Void) async throws {
    try await withServer(at: "nation", body)
}

extension NationBuilder {
    /// A client of a stubbed server.
    convenience init(_ server: StubTransport, apiKey: String? = "k", baseURL: URL? = nil) {
        self.init(slug: "abe", apiKey: apiKey, baseURL: baseURL) {
            $0.transport = server
            $0.logger = .silent
        }
    }

    /// Returns an endpoint's request: method and URL.
    func sent<Value>(_ endpoint: NationEndpoint<Value>, page: NationPagination? = nil) async throws -> TransportRequest
    {
        try await makeRequest(for: request(for: endpoint, page: page))
    }
}

extension TransportRequest {
    /// The content as text; empty if there is none.
    var text: String { if case .data(let data) = body { String(bytes: data, encoding: .utf8) ?? "" } else { "" } }
}

/// Collects lines from any thread.
final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    func add(_ line: String) { lock.withLock { lines.append(line) } }
    var all: [String] { lock.withLock { lines } }
}
