// A module whose own types have the client's names.

struct Request: Equatable {
    var number = 0
}

struct Response: Equatable {}
struct Query: Equatable {}
struct Cookie: Equatable {}
struct PageInfo: Equatable {}

struct Page: Codable, Equatable {
    var title: String
}
