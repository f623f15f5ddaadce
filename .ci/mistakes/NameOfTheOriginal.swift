// 'get(_:queryParams:headers:_:)' is unavailable: write query: instead of queryParams:, or import SimpleNetworkingOriginal
import SimpleNetworking

func load(_ api: SimpleNetworking) {
    api.get("/user", queryParams: ["id": "7"]) { request in
        request.on(success: { response in print(response.httpStatus) })
    }
}
