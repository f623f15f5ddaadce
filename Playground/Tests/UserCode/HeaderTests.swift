import SimpleNetworking
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HeaderTests {
    @Test
    nonisolated func changesFromManyThreadsAreAllKept() {
        let client = SimpleNetworking(host: "my.api")
        DispatchQueue.concurrentPerform(iterations: 500) { client.headers["h\($0)"] = "v" }
        #expect(client.defaultHeaders.count == 500)
    }

    @Test
    func aChangeIsSentWithTheNextAttempt() async throws {
        let server = Server.secured(by: "X-Key")
        let client = SimpleNetworking(server)
        let request = client.get("/x") {
            $0.on(httpStatus: 401) { request, _ in
                client.headers["X-Key"] = "t"
                request.retry()
                return false
            }
        }
        #expect(await request.ended().isSuccess)
        #expect(server.requests.map { $0.headers["X-Key"] } == [nil, "t"])
    }
}
