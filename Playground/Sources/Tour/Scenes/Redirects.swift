import SimpleNetworking

/// Follows redirects; a 307 keeps method and content.
struct Redirects: Scene {
    let title = "Redirects are followed, and a 307 keeps method and content"

    let code = """
        client.get("/redirect/3") {
            $0.on(success: { response in
                show("from \\(response.request.url.path): \\(response.text ?? "")")
            })
        }

        client.post("/moved") {
            $0.body(json: ["name": "Ada"]).on(success: { response in
                let echo = response.json ?? [:]
                show("\\(echo["method"] ?? "") \\(echo["path"] ?? ""): \\(echo["body"] ?? "")")
            })
        }
        """

    let expected = [
        #"from /hello: {"greeting":"Hello, world!"}"#,
        "3 redirects",
        #"POST /echo: {"name":"Ada"}"#,
    ]

    func play(on stage: Stage) async {
        let show = stage.show
        let client = stage.client()
        let chain =
            client.get("/redirect/3") {
                $0.on(success: { response in
                    show("from \(response.request.url.path): \(response.text ?? "")")
                })
            }
        await stage.end(of: chain)
        show("\(chain.trace.redirects) redirects")

        let moved =
            client.post("/moved") {
                $0.body(json: ["name": "Ada"]).on(success: { response in
                    let echo = response.json ?? [:]
                    show("\(echo["method"] ?? "") \(echo["path"] ?? ""): \(echo["body"] ?? "")")
                })
            }
        await stage.end(of: moved)
    }
}

extension RequestTrace {
    fileprivate var redirects: Int {
        events.count { if case .redirected = $0.kind { true } else { false } }
    }
}
