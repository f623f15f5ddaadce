// incorrect argument label in call (have 'sucess:', expected 'success:')
import SimpleNetworking

func load(_ api: SimpleNetworking) {
    api.get("/user") { request in
        request
            .on(sucess: { response in print(response) })
            .on(error: { error in print(error) })
    }
}
