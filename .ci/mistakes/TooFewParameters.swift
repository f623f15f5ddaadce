// contextual closure type '(SimpleRequest, SimpleResponse) -> Bool' expects 2 arguments, but 1 was used in closure body
import SimpleNetworking

func load(_ api: SimpleNetworking) {
    api.get("/user") { request in
        request.on(httpStatus: 401) { request in
            false
        }
    }
}
