// instance method 'on(isolation:success:_:owner:fileID:line:)' requires that 'User' conform to 'Decodable'
import SimpleNetworking

struct User { var name: String }

func load(_ api: SimpleNetworking) {
    api.get("/user") { request in
        request.on(success: User.self) { user in print(user.name) }
    }
}
