import FlyingFox

/// Three users.
struct UserRoutes: RouteGroup {
    private struct User: Encodable {
        let id: Int
        let name: String
    }

    private static let users = [
        User(id: 1, name: "Ada Lovelace"), User(id: 2, name: "Alan Turing"), User(id: 3, name: "Grace Hopper"),
    ]

    var routes: [Route] {
        [
            Route("GET /users", "all users") { _ in try .json(Self.users) },
            Route("GET /users/:id", "one user, or a 404 that says why") { request in
                let id: String = request.routeParameters["id"] ?? ""
                guard let user = Self.users.first(where: { String($0.id) == id }) else {
                    return .problem(404, "There is no user \(id).")
                }
                return try .json(user)
            },
        ]
    }
}
