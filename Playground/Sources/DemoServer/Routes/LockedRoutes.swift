import FlyingFox

/// An area whose every answer is 401, its `/auth` included: what a client meets when its key has been withdrawn.
struct LockedRoutes: RouteGroup {
    var routes: [Route] {
        [
            Route("/locked/*", "always 401, /locked/auth too") { _ in
                .problem(401, "Nobody gets in here.", headers: [HTTPHeader("WWW-Authenticate"): "Bearer"])
            }
        ]
    }
}
