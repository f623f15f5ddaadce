import DemoServer
import SimpleNetworking
import SimpleNetworkingTraffic

/// Makes equal requests at once, which share one transfer, and then different ones, two at a time.
struct SharedTransfer: Scene {
    let title = "Equal requests share a transfer"

    let code = """
        SimpleNetworking(baseURL: url) {
            $0.traffic.coalesces = true
            $0.traffic.inFlight = 2
        }
        …
        let equal = (1...5).map { _ in client.get("/slow?seconds=0.2") }
        …
        show("\\(equal.count) requests have ended, the server saw \\(seen.count)")
        …
        let others = (1...5).map { number in client.get("/items/\\(number)") }
        """

    let expected = [
        "5 requests have ended, the server saw 1",
        "5 others waited for 2 places, and all have ended",
    ]

    func play(on stage: Stage) async throws {
        let show = stage.show
        let client = stage.client { url in
            SimpleNetworking(baseURL: url) {
                $0.traffic.coalesces = true
                $0.traffic.inFlight = 2
            }
        }
        let before = await stage.server.log.lines.count
        let equal = (1...5).map { _ in client.get("/slow?seconds=0.2") }
        for request in equal { await stage.end(of: request) }
        let seen = await stage.server.log.lines.dropFirst(before)
        show("\(equal.count) requests have ended, the server saw \(seen.count)")
        stage.showTrace(of: equal[4])
        let others = (1...5).map { number in client.get("/items/\(number)") }
        for request in others { await stage.end(of: request) }
        show("\(others.count) others waited for 2 places, and all have ended")
    }
}
