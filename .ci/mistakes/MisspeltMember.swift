// value of type 'SimpleResponse' has no member 'jsn'
import SimpleNetworking

func load(_ api: SimpleNetworking) {
    api.get("/user") { request in
        request.on(success: { response in print(response.jsn ?? "none") })
    }
}
