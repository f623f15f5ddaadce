import FlyingFox

/// An area where every response is 401, its `/auth` included, as for a client whose key was withdrawn.
struct LockedRoutes: RouteGroup {
    var routes: [Route] {
        [
            Route("/locked/*", "always 401, /locked/auth too") { _ in
                .problem(401, "This area is closed.", headers: [HTTPHeader("WWW-Authenticate"): "Bearer"])
            }
        ]
    }
}
