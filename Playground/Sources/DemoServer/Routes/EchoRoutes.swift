import FlyingFox
import Foundation

/// Responds with the request.
struct EchoRoutes: RouteGroup {
    private struct Echo: Encodable {
        let method: String
        let path: String
        let query: String
        let headers: [String: String]
        let body: String
    }

    var routes: [Route] {
        [
            Route("/echo", "method, header fields and content of the request") { request in
                let headers = request.headers.keys.map { ($0.rawValue, request.headers[$0] ?? "") }
                return try .json(
                    Echo(
                        method: request.method.rawValue,
                        path: request.path,
                        query: request.target.query(),
                        headers: Dictionary(headers) { first, _ in first },
                        body: String(bytes: try await request.bodyData, encoding: .utf8) ?? "(not UTF-8)"
                    )
                )
            }
        ]
    }
}
