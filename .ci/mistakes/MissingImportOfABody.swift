// 'body(multipart:)' is unavailable: import SimpleNetworkingForms
import SimpleNetworking

func load(_ api: SimpleNetworking, _ photo: URL) {
    api.post("/photos") { request in
        request.body(multipart: Multipart().file("photo", at: photo))
            .on(success: { response in print(response) })
    }
}
