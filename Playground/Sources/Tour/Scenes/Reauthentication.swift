import DemoServer
import SimpleNetworking

/// Lets a subclass get a token when the server rejects a request, and send the request again.
struct Reauthentication: Scene {
    let title = "A subclass signs in on 401, and sends the request again"

    let code = """
        class PrivateAPI: SimpleNetworking, @unchecked Sendable {
            override func execute(request: SimpleRequest) {
                if !request.handles(httpStatus: 401) {
                    request.on(httpStatus: 401) { request, _ in
                        self.authenticate { request.retry() }
                        return false
                    }
                }
                super.execute(request: request)
            }

            func authenticate(then retry: @escaping () -> Void) {
                get("/auth") {
                    $0.on(success: { [weak self] response in
                        self?.headers["X-Authorization"] = response.json?["token"] as? String
                        retry()
                    })
                }
            }
        }

        let request = client.get("/private") {
            $0.on(success: { response in
                show("success: \\(response.text ?? "")")
            })
        }
        """

    let expected = [
        #"success: {"secret":"The cake is real."}"#,
        "the server saw: GET /private, GET /auth, GET /private",
    ]

    func play(on stage: Stage) async {
        let show = stage.show
        let client = stage.client { PrivateAPI(baseURL: $0) }
        let before = await stage.server.log.lines.count
        let request = client.get("/private") {
            $0.on(success: { response in
                show("success: \(response.text ?? "")")
            })
        }
        await stage.end(of: request)
        let seen = await stage.server.log.lines.dropFirst(before)
        show("the server saw: \(seen.joined(separator: ", "))")
        stage.showTrace(of: request)
    }
}
