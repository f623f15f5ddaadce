import SimpleNetworking

/// Shows that status handlers come before error handlers, wherever they were written.
struct StatusHandlersFirst: Scene {
    let title = "Status handlers run before error handlers, wherever they were written"

    let code = """
        client.get("/status/404") {
            $0.on(error: { _ in
                show("error")
            })
            .on(httpStatus: 404) { _, _ in
                show("404: true goes on")
                return true
            }
            .on(httpStatus: .clientError) { _, _ in
                show("400...499: goes on too")
                return true
            }
            .on(httpStatus: 500...599) { _, _ in
                show("never said")
                return true
            }
            .on(completion: { _ in
                show("completion, last whatever the end")
            })
        }
        """

    let expected = [
        "404: true goes on", "400...499: goes on too", "error", "completion, last whatever the end",
    ]

    func play(on stage: Stage) async {
        let show = stage.show
        let client = stage.client()
        let request =
            client.get("/status/404") {
                $0.on(error: { _ in
                    show("error")
                })
                .on(httpStatus: 404) { _, _ in
                    show("404: true goes on")
                    return true
                }
                .on(httpStatus: .clientError) { _, _ in
                    show("400...499: goes on too")
                    return true
                }
                .on(httpStatus: 500...599) { _, _ in
                    show("never said")
                    return true
                }
                .on(completion: { _ in
                    show("completion, last whatever the end")
                })
            }
        await stage.end(of: request)
    }
}
