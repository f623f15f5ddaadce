import DemoServer
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response of the server.
struct Received: Sendable {
    let status: Int
    let headers: [String: String]
    let data: Data

    var text: String { String(bytes: data, encoding: .utf8) ?? "" }

    func header(_ name: String) -> String? { headers[name] }
}

/// Sends a request with plain URLSession, so that the server is tested without the client.
func get(
    _ server: DemoServer,
    _ path: String,
    method: String = "GET",
    headers: [String: String] = [:],
    body: Data? = nil
) async throws -> Received {
    var request = URLRequest(url: try #require(URL(string: "/" + path, relativeTo: server.baseURL)))
    request.httpMethod = method
    request.httpBody = body
    request.allHTTPHeaderFields = headers
    let session = URLSession(configuration: .ephemeral, delegate: RefuseRedirects(), delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let (data, response) = try await session.data(for: request)
    let http = try #require(response as? HTTPURLResponse)
    let fields = http.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
    return Received(status: http.statusCode, headers: Dictionary(fields) { first, _ in first }, data: data)
}

private final class RefuseRedirects: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
