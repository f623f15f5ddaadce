import DemoServer
import SimpleNetworking

/// Makes twenty requests at the same time; each ends once.
struct TwentyAtOnce: Scene {
    let title = "20 requests at once"

    let code = """
        @MainActor
        func play(on stage: Stage) async {
            …
            var successes = 0
            var ends = 0
            let requests = (1...20).map { number in
                client.get("/items/\\(number)") {
                    $0.on(success: { _ in successes += 1 })
                        .on(completion: { _ in ends += 1 })
                }
            }
            show("\\(requests.count) requests are under way, \\(ends) have ended")
            …
            show("\\(ends) have ended, \\(successes) of them in success")
        """

    let expected = [
        "20 requests are under way, 0 have ended",
        "20 have ended, 20 of them in success",
        "the server saw 20 different requests",
    ]

    @MainActor
    func play(on stage: Stage) async {
        let show = stage.show
        let client = stage.client()
        let before = await stage.server.log.lines.count
        var successes = 0
        var ends = 0
        let requests = (1...20).map { number in
            client.get("/items/\(number)") {
                $0.on(success: { _ in successes += 1 })
                    .on(completion: { _ in ends += 1 })
            }
        }
        show("\(requests.count) requests are under way, \(ends) have ended")
        for request in requests { await stage.end(of: request) }
        show("\(ends) have ended, \(successes) of them in success")
        let seen = await stage.server.log.lines.dropFirst(before)
        show("the server saw \(Set(seen).count) different requests")
    }
}
