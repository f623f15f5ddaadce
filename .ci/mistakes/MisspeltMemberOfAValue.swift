// value of type 'User' has no member 'nam'
import SimpleNetworking

struct User: Decodable { var name: String }

func load(_ api: SimpleNetworking) {
    api.get("/user") { request in
        request.on(success: User.self) { user in print(user.nam) }
    }
}
