import Foundation
import SimpleNetworkingPagination
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite(.timeLimit(.minutes(5)))
struct PageRefreshTests {
    /// Gives 10,000 items, takes the token `old` for the first half of the pages and another one for the second.
    private func server() -> (transport: StubTransport, count: Int) {
        let list = ListServer(way: .links, count: 10_000, size: 100)
        let pages = Locked(0)
        let transport = StubTransport()
            .on("/auth") { _ in .json(#"{"token": "t1"}"#) }
            .on("/items") { request in
                let valid = pages.withLock { $0 < 50 } ? "Bearer old" : "Bearer t1"
                guard request.headers["Authorization"] == valid else { return .status(401) }
                pages.withLock { $0 += 1 }
                return list.page(for: request)
            }
        return (transport, list.count)
    }

    @Test(arguments: RefreshWay.allCases)
    func tokenRefreshDuringPagesLosesNoItem(way: RefreshWay) async throws {
        let (server, count) = server()
        let client = way.client(server)
        var ids: [Int] = []
        let request = SimpleNetworking.get("/items")
        for try await item in client.items(of: ListServer.Item.self, at: "results", for: request, style: .links()) {
            ids.append(item.id)
        }
        #expect(ids == Array(0..<count))
        #expect(server.requests(to: "/auth").count == 1)
        #expect(server.requests(to: "/items").count == 101)
    }

    @Test(arguments: RefreshWay.allCases)
    func tokenRefreshDuringPagesLosesNoPageForTheHandler(way: RefreshWay) async throws {
        let (server, count) = server()
        let client = way.client(server)
        let ids = Recorder<Int>()
        let ends = Recorder<Int>()
        let request = client.get("/items") {
            $0.on(page: .links(), of: ListServer.Item.self, at: "results") { page in
                for item in page.items { ids.add(item.id) }
                return true
            }
            .on(success: { response in ends.add(response.httpStatus) })
            .on(error: { _ in ends.add(0) })
        }
        await request.ended()
        #expect(ids.elements == Array(0..<count))
        #expect(ends.elements == [200])
        #expect(server.requests(to: "/auth").count == 1)
        #expect(server.requests(to: "/items").count == 101)
    }

    @Test
    func noFurtherPageIsRequestedAfterSignOut() async throws {
        let (server, _) = server()
        let client = RefreshWay.handlers.client(server)
        let request = client.get("/items") {
            $0.on(page: .links(), of: ListServer.Item.self, at: "results") { page in
                if page.number == 3 { client.signOut() }
                return true
            }
        }
        guard case .authentication(let failure)? = await request.ended().error else {
            Issue.record("\(request.trace)")
            return
        }
        #expect(failure.underlying as? RefreshFailure == .signedOut)
        #expect(server.requests.count == 3)
    }
}
