import Foundation
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// The cache together with handlers, pages, hedges and rejected credentials.
@Suite(.timeLimit(.minutes(1)))
struct CachePairTests {
    private let server = StubTransport()
    private let clock = VirtualClock()
    private let fresh: HTTPHeaders = ["Cache-Control": "max-age=600"]

    private func client(through middleware: [any Middleware] = []) -> SimpleNetworking {
        SimpleNetworking(over: server, through: middleware, clock: clock) { $0.cache = ResponseCache() }
    }

    @Test
    func aStatusHandlerRunsForAStoredErrorAndItsRetryAsksTheServer() async throws {
        server.on("/x", .replies(.text("stored", status: 404, headers: fresh), .text("found")))
        let client = client()
        await client.get("/x").ended()
        let counts = Recorder<Int>()
        let request = client.get("/x") {
            $0.on(httpStatus: 404) { [server] request, _ in
                counts.add(server.requests.count)
                request.retry()
                return false
            }
        }
        #expect(await request.ended().value?.text == "found")
        #expect(counts.elements == [1])
        #expect(server.requests.count == 2)
    }

    @Test
    func eachPageIsStoredAndServedByItself() async throws {
        let next: HTTPHeaders = ["Link": #"</list?page=2>; rel="next""#, "Cache-Control": "max-age=600"]
        server.on("/list") { $0.url.query == nil ? .json("[1]", headers: next) : .json("[2]", headers: fresh) }
        let client = client()
        let items = Recorder<Int>()
        for _ in 1...2 {
            let request = client.get("/list") { request in
                request.on(page: .linkHeader(), of: Int.self) { page in
                    for item in page.items { items.add(item) }
                    return true
                }
            }
            #expect(await request.ended().value != nil)
        }
        #expect(items.elements == [1, 2, 1, 2])
        #expect(server.requests.count == 2)
    }

    @Test
    func anEventStreamIsNeitherServedNorStored() async throws {
        server.on("/news", .pieces("data: a\n\n", type: "text/event-stream", headers: fresh))
        let client = client()
        await client.get("/news").ended()
        for count in 2...3 {
            let read = await client.events(for: SimpleNetworking.get("/news")).all()
            #expect(read.elements.map(\.data) == ["a"])
            #expect(server.requests.count == count)
        }
        #expect(await client.get("/news").ended().value != nil)
        #expect(server.requests.count == 3)
    }

    @Test
    func theResponseOfTheFasterHedgeIsStoredAndAHitIsNotHedged() async throws {
        server.on("/x", .silence, times: 1).on("/x", .text("second", headers: fresh))
        let client = client(through: [Hedging(after: 1, share: 1)])
        let request = client.get("/x")
        try await clock.advance(to: .hedge)
        #expect(await request.ended().value?.text == "second")
        #expect(await client.get("/x").ended().value?.text == "second")
        clock.advance(by: 60)
        #expect(server.requests.count == 2)
    }

    /// Not even if the server permits it.
    @Test
    func aRejectedCredentialsResponseIsNotServedAfterAReauthentication() async throws {
        server.on("/me") {
            $0.headers["Authorization"] == "Bearer new" ? .text("Ada", headers: fresh) : .status(401, headers: fresh)
        }
        let client = client()
        client.headers["Authorization"] = "Bearer old"
        for _ in 1...2 {
            let request = client.get("/me") {
                $0.on(httpStatus: 401) { request, _ in
                    client.reauthenticate(request) { done in
                        client.headers["Authorization"] = "Bearer new"
                        done()
                    }
                    return false
                }
            }
            #expect(await request.ended().value?.text == "Ada", "\(request.trace)")
        }
        #expect(server.requests.count == 2)
    }
}
