// 'on' has been renamed to 'on(httpStatus:_:)'
import SimpleNetworking

func load(_ api: SimpleNetworking) {
    api.get("/user") { request in
        request.on(401) { request, response in
            print(response.httpStatus)
            return false
        }
    }
}
