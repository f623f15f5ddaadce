import FlyingFox

/// Twenty items, enough to request many at once, or page after page.
struct ItemRoutes: RouteGroup {
    private struct Item: Encodable {
        let id: Int
        let title: String
    }

    private struct Page: Encodable {
        let items: [Item]
        let page: Int
        let total = ItemRoutes.items.count

        init(_ number: Int, of size: Int) {
            items = Array(ItemRoutes.items.dropFirst((min(number, 100) - 1) * size).prefix(size))
            page = number
        }
    }

    private static let items = (1...20).map { Item(id: $0, title: "Item \($0)") }

    var routes: [Route] {
        [
            Route("GET /items", "all 20 items, or a page of them: ?page=2&per_page=8") { request in
                guard let number = request.query["page"].flatMap({ Int($0) }), number > 0 else {
                    return try .json(["items": Self.items])
                }
                return try .json(Page(number, of: min(max(request.query["per_page"].flatMap { Int($0) } ?? 8, 1), 20)))
            },
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
