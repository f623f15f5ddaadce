/// How far somebody has come who goes from page to page.
struct PageProgress: Sendable {
    /// What takes the place of a request's own path and query.
    struct Address: Sendable {
        var path: String
        var query: Query
    }

    /// Pairs for the first page, unless the request names them itself.
    let start: Query
    /// The page that is asked for; nil for the first.
    var address: Address?
    /// The number of the page that is asked for, from 1.
    var number = 1
    /// The items of the pages before.
    var items = 0
    /// The addresses that were asked for.
    var seen: Set<String> = []

    init(start: Query) { self.start = start }

    /// The same before the first page.
    var restarted: PageProgress { PageProgress(start: start) }

    /// What is asked for, of a request that says all the rest.
    func asked(of request: RequestSpecification) -> RequestSpecification {
        var asked = request
        let (path, query) = AddressParts.split(request.path[...])
        if let address {
            (asked.path, asked.query) = (address.path, address.query)
        } else {
            let own = Query.raw(String(query ?? "")) + request.query
            (asked.path, asked.query) = (String(path), start.replacing(with: own))
        }
        return asked
    }
}

extension PageProgress: CustomReflectable {
    /// Addresses may hold tokens.
    var customMirror: Mirror { Mirror(self, children: ["number": number, "items": items], displayStyle: .struct) }
}
