import FlyingFox

/// Redirects.
struct RedirectRoutes: RouteGroup {
    var routes: [Route] {
        [
            Route("GET /redirect/:count", "a chain of that many redirects (302) to /hello") { request in
                guard let count = request.routeParameters["count", of: Int.self], (1...30).contains(count) else {
                    return .problem(400, "Ask for 1 to 30 redirects.")
                }
                let next = count == 1 ? "/hello" : "/redirect/\(count - 1)"
                return Self.redirect(.found, to: next)
            },
            Route("/moved", "a redirect (307) to /echo, which keeps method and content") { _ in
                Self.redirect(.temporaryRedirect, to: "/echo")
            },
        ]
    }

    private static func redirect(_ status: HTTPStatusCode, to path: String) -> HTTPResponse {
        HTTPResponse(statusCode: status, headers: HTTPHeaders([.location: path]))
    }
}
