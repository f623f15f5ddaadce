import FlyingFox
import Foundation

/// A greeting, and the list of all routes.
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
        let width = (DemoServer.routes.map(\.pattern.count).max() ?? 0) + 2
        return DemoServer.routes.map { route in
            route.pattern.padding(toLength: width, withPad: " ", startingAt: 0) + route.summary + "\n"
        }
        .joined()
    }
}
