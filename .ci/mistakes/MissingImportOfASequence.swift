// 'items(of:at:for:style:limit:)' is unavailable: import SimpleNetworkingPagination
import SimpleNetworking

struct Person: Decodable { var name: String }

func load(_ api: SimpleNetworking) async throws {
    let first = SimpleNetworking.get("/people")
    for try await person in api.items(of: Person.self, at: "results", for: first, style: .links()) {
        print(person.name)
    }
}
