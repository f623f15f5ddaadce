// value of type 'SimpleResponse' has no member 'sttus'
import SimpleNetworking

func load(_ api: SimpleNetworking) {
    api.get("/user") { request in
        request.on(success: { response in
            let name = response.json?["name"]
            print(name, response.sttus)
        })
    }
}
