// cannot find 'prnt' in scope
import SimpleNetworking

func load(_ api: SimpleNetworking) {
    api.get("/user") { request in
        request
            .on(success: { response in prnt(response.text ?? "") })
            .on(error: { error in print(error) })
    }
}
