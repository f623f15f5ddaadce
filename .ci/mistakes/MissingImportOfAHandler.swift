// 'on(page:of:at:limit:_:owner:)' is unavailable: import SimpleNetworkingPagination
import SimpleNetworking

struct Person: Decodable { var name: String }

func load(_ api: SimpleNetworking) {
    api.get("/people") { request in
        request
            .on(page: .links(next: "paging.next"), of: Person.self, at: "results") { page in
                print(page.items.map(\.name))
                return page.hasNext && page.number < 10
            }
            .on(error: { error in print(error) })
    }
}
