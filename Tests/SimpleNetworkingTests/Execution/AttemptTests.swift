import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// The number of an attempt, in requests, responses and progress.
@Suite(.timeLimit(.minutes(5)))
struct AttemptTests {
    private class Client: SimpleNetworking, @unchecked Sendable {
        let prepared = Recorder<Int>()

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            prepared.add(request.attempt)
        }
    }

    @Test
    func requestAndResponseAgreeAfterRetriesByPolicy() async throws {
        let server = StubTransport().on("/x", .status(503), times: 2).on("/x", .json("{}"))
        let client = Client(over: server) {
            $0.retryPolicy = RetryPolicy(attempts: 3, backoff: .constant(0))
        }
        let seen = Recorder<[Int]>()
        let request = client.get("/x") {
            $0.on(isolation: nil, httpStatus: 200) { request, response in
                seen.add([request.attempt, response.attempt])
                return true
            }
        }
        let response = try #require(await request.ended().value)
        #expect(request.attempt == 3 && response.attempt == 3 && seen.elements == [[3, 3]])
        #expect(client.prepared.elements == [1, 2, 3])
        #expect(request.trace.attempts == 3)
    }

    @Test
    func requestAndResponseAgreeAfterARefresh() async throws {
        let server = StubTransport().on("/x", .status(401), times: 1).on("/x", .json("{}"))
        let api = SimpleNetworking(over: server) {
            $0.authenticator = BearerAuthenticator(token: Secret("old")) { _ in Secret("new") }
        }
        let request = api.get("/x")
        let response = try #require(await request.ended().value)
        #expect(request.attempt == 2 && response.attempt == 2)
    }

    @Test
    func handlerRetriesContinueTheCountAndHaveTheirOwnLimit() async throws {
        let server = StubTransport().on("/x", .status(503))
        let client = Client(over: server) {
            $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(0))
            $0.maxRetries = 1
        }
        let seen = Recorder<[Int]>()
        let request = client.get("/x") {
            $0.on(isolation: nil, httpStatus: 503) { request, response in
                seen.add([request.attempt, response.attempt])
                request.retry()
                return false
            }
        }
        #expect(await request.ended().error?.httpStatus == 503)
        #expect(seen.elements == [[2, 2], [4, 4]])
        #expect(server.requests.count == 4 && client.prepared.elements == [1, 2, 3, 4])
        #expect(request.attempt == 4)
    }

    @Test
    func attemptsAreCountedFromOneWhenTheRequestIsExecutedAgain() async throws {
        let server = StubTransport().on("/x", .status(503), times: 1).on("/x", .json("{}"))
        let client = Client(over: server) {
            $0.retryPolicy = RetryPolicy(attempts: 3, backoff: .constant(0))
        }
        let request = SimpleNetworking.get("/x")
        #expect(request.attempt == 0)
        #expect(await request.execute(on: client).ended().value?.attempt == 2)
        #expect(await request.execute(on: client).ended().value?.attempt == 1)
    }

    @Test
    func requestThatIsNeverSentHasAttemptZero() async {
        let request = SimpleNetworking(over: StubTransport()).get("http://") { $0.on(isolation: nil, error: { _ in }) }
        await request.ended()
        #expect(request.attempt == 0)
    }

    @Test
    func lastProgressReportHasTheLastAttemptsNumber() async {
        let server = StubTransport().on("/x", .status(503), times: 2).on("/x", .json("{}"))
        let seen = Recorder<Int>()
        let client = SimpleNetworking(over: server) {
            $0.retryPolicy = RetryPolicy(attempts: 3, backoff: .constant(0))
        }
        let request = client.get("/x") { $0.on(isolation: nil, progress: { seen.add($0.attempt) }) }
        await request.ended()
        #expect(seen.elements == [3])
    }
}
