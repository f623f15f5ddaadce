// cannot convert value of type '()' to closure result type 'Bool'
import SimpleNetworking

func load(_ api: SimpleNetworking) {
    api.get("/user") { request in
        request.on(httpStatus: 401) { request, response in
            print(response.httpStatus)
        }
    }
}
