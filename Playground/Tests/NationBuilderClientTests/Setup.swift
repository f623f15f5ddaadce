import DemoServer
import Foundation
import NationBuilderClient
import SimpleNetworking
import SimpleNetworkingTesting

/// The two engines that a client may run on.
enum Engine: CaseIterable, Sendable {
    case usual, urlSession

    func select(_ configuration: inout SimpleNetworking.Configuration) {
        if self == .urlSession { configuration.sessionDelegate = SilentDelegate() }
        configuration.logger = .silent
    }
}

private final class SilentDelegate: NSObject, URLSessionDelegate, Sendable {}

/// Runs a test with a server of its own, and the nation's URL there.
func withServer(_ body: (DemoServer, URL) async throws -> Void) async throws {
    let server = try await DemoServer.start()
    do {
        try await body(server, server.baseURL.appendingPathComponent("nation"))
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
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

/// Waits for what a completion takes.
func value<Value>(_ begin: (@escaping (Value) -> Void) -> Void) async -> Value {
    await withCheckedContinuation { (continuation: CheckedContinuation<UncheckedBox<Value>, Never>) in
        begin { continuation.resume(returning: UncheckedBox(value: $0)) }
    }.value
}

/// Carries a value from the completion to the test, one after the other.
struct UncheckedBox<Value>: @unchecked Sendable { let value: Value }

/// Collects lines from any thread.
final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    func add(_ line: String) { lock.withLock { lines.append(line) } }
    var all: [String] { lock.withLock { lines } }
}

extension DispatchQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this runs on the main queue, whichever thread serves it.
    static var isMain: Bool { getSpecific(key: mark) == true }

    /// Returns when all that was put into the queue before has run.
    func turn() async { await withCheckedContinuation { done in async { done.resume() } } }
}
