// value of type 'SimpleRequest' has no member 'timout'
import SimpleNetworking

func load(_ api: SimpleNetworking) {
    api.get("/user") { request in
        request.timout(10).on(success: { response in print(response) })
    }
}
