// 'Multipart' is unavailable: import SimpleNetworkingForms
import SimpleNetworking

func form(_ photo: URL) {
    let form = Multipart().field("title", "Sunset").file("photo", at: photo, type: "image/jpeg")
    print(form)
}
