import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Synchronization

/// Finds the recorded response to a request.
final class Replay: Sendable {
    private let exchanges: [Cassette.Exchange]
    /// The positions of the exchanges of a method, path and query, and of a method and path.
    private let positions: [String: [Int]]
    private let origins: Set<String>
    private let report: @Sendable (String) -> Void
    /// How often each of them was requested.
    private let uses = Mutex<[String: Int]>([:])

    /// Reports each request as a line.
    init(_ exchanges: [Cassette.Exchange], report: @escaping @Sendable (String) -> Void) {
        (self.exchanges, self.report) = (exchanges, report)
        var positions: [String: [Int]] = [:]
        for (index, exchange) in exchanges.enumerated() {
            let target = Self.target(of: exchange.url)
            let path = target.prefix { $0 != "?" }
            for key in Set(["\(exchange.method) \(target)", "\(exchange.method) \(path) any"]) {
                positions[key, default: []].append(index)
            }
        }
        self.positions = positions
        origins = Set(exchanges.map { Self.origin(of: $0.url) })
    }

    /// A stub that responds to every request with what was recorded.
    var stub: StubTransport { StubTransport().on("*") { [self] in response(to: $0) } }

    private func response(to request: TransportRequest) -> StubResponse {
        let target = Self.target(of: request.url.absoluteString)
        let name = "\(request.method) \(target)"
        guard let exchange = next(for: request.method, target) else {
            report("\(name) → 501, not recorded")
            let lines = ["\(name) is not recorded. Recorded are:"] + exchanges.map { "\($0.method) \($0.url)" }
            return .text(lines.joined(separator: "\n") + "\n", status: 501)
        }
        guard let response = exchange.response else {
            report("\(name) → no response")
            return .failure(exchange.failure ?? NetworkFailure(.connectionLost))
        }
        report("\(name) → \(response.httpStatus)")
        return StubResponse(status: response.httpStatus, headers: served(response.headers), body: response.data)
            .trailers(response.trailers)
    }

    private func next(for method: HTTPMethod, _ target: String) -> Cassette.Exchange? {
        let path = target.prefix { $0 != "?" }
        let keys = ["\(method) \(target)", "\(method) \(path) any"]
        guard let key = keys.first(where: { positions[$0] != nil }), let found = positions[key] else { return nil }
        let use = uses.withLock { uses in
            defer { uses[key, default: 0] += 1 }
            return uses[key, default: 0]
        }
        return exchanges[found[min(use, found.count - 1)]]
    }

    /// The recorded fields, without those of the recorded connection; the content is no longer compressed.
    private func served(_ headers: HTTPHeaders) -> HTTPHeaders {
        let own: Set<String> = [
            "connection", "keep-alive", "transfer-encoding", "trailer", "content-length", "content-encoding", "alt-svc",
            "strict-transport-security",
        ]
        var served = HTTPHeaders(fields: headers.filter { !own.contains($0.name.lowercased()) })
        // A redirect to what is recorded stays here.
        if let location = headers["Location"], origins.contains(Self.origin(of: location)) {
            served["Location"] = Self.target(of: location)
        }
        return served
    }

    /// The part of a URL before the path: `https://api.example.com`; empty for one without.
    private static func origin(of url: String) -> String {
        guard let scheme = url.range(of: "://") else { return "" }
        return String(url[..<scheme.upperBound]) + url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    }

    /// The path and the query of a URL.
    private static func target(of url: String) -> String {
        let target = url.dropFirst(origin(of: url).count).prefix { $0 != "#" }
        return target.hasPrefix("/") ? String(target) : "/" + target
    }
}
