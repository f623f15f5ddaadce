import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingPagination

@Suite(.timeLimit(.minutes(5)))
struct PagesTests {
    /// Not Sendable, as many a model is.
    private final class Model: Decodable {
        let id: Int
    }

    private let list = ListServer(way: .links, count: 45, size: 10)

    @Test
    func pageIsRequestedOnlyWhenItIsWanted() async throws {
        let server = list.transport
        let pages = SimpleNetworking(over: server).pages(
            of: ListServer.Item.self,
            at: "results",
            for: SimpleNetworking.get("/items"),
            style: .links()
        )
        var iterator = pages.makeAsyncIterator()
        #expect(server.requests.isEmpty)
        for count in 1...5 {
            #expect(try await iterator.next()?.number == count)
            #expect(server.requests.count == count)
        }
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(server.requests.count == 5)
    }

    @Test
    func leavingTheLoopRequestsNoMorePages() async throws {
        let server = list.transport
        let items = SimpleNetworking(over: server).items(
            of: ListServer.Item.self,
            at: "results",
            for: SimpleNetworking.get("/items"),
            style: .links()
        )
        for try await item in items where item.id == 19 { break }
        #expect(server.requests.count == 2)
        #expect(try await items.reduce(0) { count, _ in count + 1 } == 45)
    }

    @Test
    @MainActor
    func actorIteratesOverNonSendableValues() async throws {
        var models: [Model] = []
        let request = SimpleNetworking.get("/items")
        for try await page in SimpleNetworking(over: list.transport).pages(
            of: Model.self,
            at: "results",
            for: request,
            style: .links()
        ) {
            MainActor.assertIsolated()
            models += page.items
        }
        #expect(models.map(\.id) == Array(0..<45))
    }

    @Test
    func aTypedRequestNamesItsItems() async throws {
        let server = StubTransport()
            .on("/users", .json("[1, 2]", headers: ["Link": "</users?page=2>; rel=next"]), times: 1)
            .on("/users", .json("[3]"))
        let request = Request<[Int]>.get("/users", query: [("q", "x")])
        var found: [Int] = []
        for try await id in SimpleNetworking(over: server).items(for: request, style: .linkHeader()) {
            found.append(id)
        }
        #expect(found == [1, 2, 3])
        #expect(server.requests.map(\.url.query) == ["q=x", "page=2"])
    }

    @Test
    func eachPageHasTheRequestsHandlersFieldsAndBody() async throws {
        let server = list.transport
        let ends = Recorder<Int>()
        let request = SimpleNetworking.put("/items", headers: ["X-A": "a"], body: "x")
            .on(success: { response in ends.add(response.httpStatus) })
        let pages = SimpleNetworking(over: server).pages(
            of: ListServer.Item.self,
            at: "results",
            for: request,
            style: .links()
        )
        for try await _ in pages {}
        #expect(ends.elements == [200, 200, 200, 200, 200])
        #expect(server.requests.allSatisfy { $0.method == .put && $0.headers["X-A"] == "a" && !$0.body.isNone })
        #expect(request.attempt == 0)
    }

    @Test
    func aCancelledTaskEndsWithCancellationError() async throws {
        let gate = Gate()
        let server = StubTransport().on("/items") { request in
            if request.url.query != nil { try await gate.wait() }
            return list.page(for: request)
        }
        let pages = SimpleNetworking(over: server).pages(
            of: ListServer.Item.self,
            at: "results",
            for: SimpleNetworking.get("/items"),
            style: .links()
        )
        let task = Task {
            var count = 0
            do {
                for try await page in pages { count = page.number }
            } catch is CancellationError { return count }
            return -1
        }
        try await withinSeconds(120) { await gate.arrivals(1) }
        task.cancel()
        #expect(try await task.value == 1)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [PaginationStyle.Limit.pages(0), .items(0)])
    func zeroLimitRequestsNoPage(limit: PaginationStyle.Limit) async throws {
        let server = list.transport
        let request = SimpleNetworking.get("/items")
        for try await _ in SimpleNetworking(over: server).pages(
            of: Int.self,
            for: request,
            style: .links(),
            limit: limit
        ) {
            Issue.record("there is a page")
        }
        #expect(server.requests.isEmpty)
    }

    @Test
    func noPageFollowsAnError() async throws {
        let server = StubTransport().on("/items", .status(500))
        let request = SimpleNetworking.get("/items")
        var iterator = SimpleNetworking(over: server).pages(of: Int.self, for: request, style: .links())
            .makeAsyncIterator()
        await #expect(throws: SimpleNetworkingError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
        #expect(server.requests.count == 1)
    }

    @Test
    func tokensOfLinksAreNotPrinted() async throws {
        let link = PaginationStyle.Step.link("/items?__token=s3cret&limit=1")
        let head = RequestHead(url: try #require(URL(string: "https://api.example.com/items?__token=s3cret")))
        let page = Page(items: [1], response: SimpleResponse(request: head), info: PaginationStyle.Info(next: link))
        let failure = PaginationFailure.repeatedPage(link)
        let texts: [Any] = [
            link, page, page.info, failure, failure.localizedDescription,
            PaginationStyle.Step.query([("token", "s3cret")]),
        ]
        for text in texts {
            #expect(!"\(text)".contains("s3cret"))
            #expect("\(text)".contains("secret"))
        }
    }
}
