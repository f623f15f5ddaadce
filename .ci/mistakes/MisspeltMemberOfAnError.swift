// value of type 'SimpleNetworkingError' has no member 'httpStatuss'
import SimpleNetworking

func load(_ api: SimpleNetworking) {
    api.get("/user", query: ["id": "7"]) { request in
        request
            .on(httpStatus: 404) { _, _ in
                print("no such user")
                return false
            }
            .on(error: { error in print(error.httpStatuss ?? 0) })
            .on(success: { response in print(response.json?["name"] ?? "no name") })
    }
}
