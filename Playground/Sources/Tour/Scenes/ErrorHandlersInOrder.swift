import SimpleNetworking

/// Requests a user who doesn't exist; three error handlers run in the order written.
struct ErrorHandlersInOrder: Scene {
    let title = "Three error handlers, in the order in which they were written"

    let code = """
        client.get("/users/7") {
            $0.on(error: { error in
                show("first:  \\(error.httpStatus ?? 0)")
            })
            .on(error: { error, response in
                show("second: \\(response?.text ?? "")")
            })
            .on(error: { error in
                show("third:  \\(error.localizedDescription)")
            })
            .on(success: { _ in
                show("never said")
            })
        }
        """

    let expected = [
        "first:  404",
        #"second: {"error":"There is no user 7."}"#,
        "third:  GET http://127.0.0.1:…/users/7 was refused with status 404. "
            + #"The response says: “{"error":"There is no user 7."}”."#,
    ]

    func play(on stage: Stage) async {
        let show = stage.show
        let client = stage.client()
        let request =
            client.get("/users/7") {
                $0.on(error: { error in
                    show("first:  \(error.httpStatus ?? 0)")
                })
                .on(error: { error, response in
                    show("second: \(response?.text ?? "")")
                })
                .on(error: { error in
                    show("third:  \(error.localizedDescription)")
                })
                .on(success: { _ in
                    show("never said")
                })
            }
        await stage.end(of: request)
    }
}
