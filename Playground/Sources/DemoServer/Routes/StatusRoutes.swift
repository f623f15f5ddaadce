import FlyingFox

/// A response with any status.
struct StatusRoutes: RouteGroup {
    var routes: [Route] {
        [
            Route("/status/:code", "a response with that status, 200 to 599") { request in
                guard let code = request.routeParameters["code", of: Int.self], (200...599).contains(code) else {
                    return .problem(400, "Ask for a status from 200 to 599.")
                }
                let status = HTTPStatusCode(code, phrase: "As Asked")
                guard code != 204, code != 304 else { return HTTPResponse(statusCode: status) }
                return try .json(["status": code], status: status)
            }
        ]
    }
}
