import FlyingFox

/// Twenty items, enough to ask for many at once.
struct ItemRoutes: RouteGroup {
    private struct Item: Encodable {
        let id: Int
        let title: String
    }

    private static let items = (1...20).map { Item(id: $0, title: "Item \($0)") }

    var routes: [Route] {
        [
            Route("GET /items", "all 20 items") { _ in try .json(["items": Self.items]) },
            Route("GET /items/:id", "one of the 20 items") { request in
                let id: String = request.routeParameters["id"] ?? ""
                guard let item = Self.items.first(where: { String($0.id) == id }) else {
                    return .problem(404, "There is no item \(id).")
                }
                return try .json(item)
            },
        ]
    }
}
