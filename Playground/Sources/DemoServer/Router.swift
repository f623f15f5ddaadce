import FlyingFox
import Foundation

/// Finds the route of a request, and logs the request.
struct Router: HTTPHandler {
    private var handlers = RoutedHTTPHandler()
    private let log: RequestLog

    init(groups: [any RouteGroup], log: RequestLog) {
        self.log = log
        for route in groups.flatMap(\.routes) {
            handlers.appendRoute(HTTPRoute(Self.withHead(route.pattern)), handler: route.response)
        }
    }

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        let fields = request.headers.keys.map { ($0.rawValue.lowercased(), request.headers[$0] ?? "") }
        let line = "\(request.method.rawValue) \(request.target.rawValue)"
        await log.add(line, headers: Dictionary(fields) { first, _ in first })
        let response: HTTPResponse
        do {
            response = try await handlers.handleRequest(request)
        } catch is HTTPUnhandledError {
            response = .problem(404, "There is no \(request.method.rawValue) \(request.path) here.")
        }
        return request.method == .HEAD ? try await response.withoutContent() : response
    }

    private static func withHead(_ pattern: String) -> String {
        pattern.hasPrefix("GET ") ? "GET,HEAD " + pattern.dropFirst(4) : pattern
    }
}

extension HTTPResponse {
    /// The response to HEAD: the header fields of GET, its length included, and no content.
    fileprivate func withoutContent() async throws -> HTTPResponse {
        var head = HTTPResponse(statusCode: statusCode, headers: headers)
        head.headers[.contentLength] = String(try await bodyData.count)
        return head
    }
}
