import Foundation

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

extension Transport {
    /// Sends a request that is a GET unless it is made something else.
    func get(
        _ url: URL,
        method: HTTPMethod = .get,
        headers: HTTPHeaders = [:],
        body: RequestBody = .none,
        _ change: (inout TransportRequest) -> Void = { _ in }
    ) async throws -> TransportResponse {
        let head = RequestHead(method: method, url: url, headers: headers)
        var request = TransportRequest(head: head, body: body, timeout: 60)
        change(&request)
        return try await send(request)
    }

    /// The name of what a request ends with: a status, a timeout, or the kind or case of an error.
    func end(of url: URL, _ change: (inout TransportRequest) -> Void = { _ in }) async -> String {
        do {
            return try await "\(get(url, method: .get, change).httpStatus)"
        } catch SimpleNetworkingError.timedOut(let timeout, _) {
            return "\(timeout)"
        } catch {
            return name(of: error)
        }
    }
}

extension TransportResponse {
    var text: String { String(decoding: data, as: UTF8.self) }
    /// What `RawServer.Reply.echo` tells.
    var echo: [String: Any] { (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:] }
    var echoedHeaders: [String] { echo["headers"] as? [String] ?? [] }
}
