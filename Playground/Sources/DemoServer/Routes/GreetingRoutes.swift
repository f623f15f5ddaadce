import FlyingFox
import Foundation

/// A greeting, and the list of what else there is.
struct GreetingRoutes: RouteGroup {
    var routes: [Route] {
        [
            Route("GET /", "this list") { _ in
                HTTPResponse(
                    statusCode: .ok,
                    headers: HTTPHeaders([.contentType: "text/plain; charset=utf-8"]),
                    body: Data(Self.list.utf8)
                )
            },
            Route("GET /hello", "a greeting; ?name=Ada greets Ada") { request in
                try .json(["greeting": "Hello, \(request.query["name"] ?? "world")!"])
            },
        ]
    }

    private static var list: String {
        DemoServer.routes.map { $0.pattern.padding(toLength: 24, withPad: " ", startingAt: 0) + $0.summary + "\n" }
            .joined()
    }
}
