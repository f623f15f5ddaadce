import Foundation
import SimpleNetworking
import SimpleNetworkingPagination
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PaginationStyleTests {
    @Test(arguments: ListServer.Way.allCases, [0, 1, 9, 10, 11, 100])
    func eachItemIsReturnedOnce(way: ListServer.Way, count: Int) async throws {
        let list = ListServer(way: way, count: count, size: 10)
        let server = list.transport
        let items = SimpleNetworking(over: server).items(
            of: ListServer.Item.self,
            at: "results",
            for: SimpleNetworking.get("/items"),
            style: list.style
        )

        var ids: [Int] = []
        for try await item in items { ids.append(item.id) }

        #expect(ids == Array(0..<count))
        // Where nothing tells the last page, one without items does.
        let asksForMore = [.numbersByEmptyPage, .offsetByEmptyPage].contains(way) && count > 0
        #expect(server.requests.count == max((count + 9) / 10, 1) + (asksForMore ? 1 : 0))
    }

    @Test(arguments: ListServer.Way.allCases, [0, 1, 10, 11, 100])
    func theHandlerGetsEachPageInOrderAndTheEndOnce(way: ListServer.Way, count: Int) async throws {
        let list = ListServer(way: way, count: count, size: 10)
        let server = list.transport
        let ids = Recorder<Int>()
        let numbers = Recorder<Int>()
        let ends = Recorder<String>()
        let request = SimpleNetworking(over: server).get("/items") {
            $0.on(page: list.style, of: ListServer.Item.self, at: "results") { page in
                numbers.add(page.number)
                for item in page.items { ids.add(item.id) }
                return true
            }
            .on(success: { _ in ends.add("success") })
            .on(error: { error in ends.add("\(error)") })
        }

        let end = await request.ended()

        #expect(ids.elements == Array(0..<count))
        #expect(numbers.elements == Array(1...server.requests.count))
        #expect(ends.elements == ["success"])
        #expect(end.value?.request.url == server.requests.last?.url)
    }

    @Test(arguments: [
        (ListServer.Way.links, ["limit=10", "__nonce=n10&__token=10&limit=10", "__nonce=n20&__token=20&limit=10"]),
        (.numbers, ["page=1&per_page=10&limit=10", "per_page=10&limit=10&page=2", "per_page=10&limit=10&page=3"]),
        (.cursor, ["limit=10", "limit=10&cursor=10", "limit=10&cursor=20"]),
        (.offset, ["offset=0&limit=10", "limit=10&offset=10", "limit=10&offset=20"]),
        (.linkHeader, ["limit=10", "cursor=10", "cursor=20"]),
    ])
    func theRequestsOwnPairsStayButForLinks(way: ListServer.Way, queries: [String]) async throws {
        let list = ListServer(way: way, count: 25, size: 10)
        let server = list.transport
        let request = SimpleNetworking.get("/items?limit=10")
        let pages = SimpleNetworking(over: server).pages(
            of: ListServer.Item.self,
            at: "results",
            for: request,
            style: list.style
        )
        for try await _ in pages {}
        #expect(server.requests.map { $0.url.query ?? "" } == queries)
    }

    @Test
    func keptPairsAreAddedToLinksOnTheSameOrigin() async throws {
        let list = ListServer(way: .links, count: 25, size: 10)
        let server = list.transport
        let request = SimpleNetworking.get("/items", query: ["token_paginator": "1", "limit": "10", "q": "a b&c"])
        let style = PaginationStyle.links(keeping: ["token_paginator", "q", "limit"])
        for try await _ in SimpleNetworking(over: server).pages(
            of: ListServer.Item.self,
            at: "results",
            for: request,
            style: style
        ) {}
        #expect(
            server.requests.map { $0.url.query ?? "" } == [
                "limit=10&q=a%20b%26c&token_paginator=1",
                "q=a%20b%26c&token_paginator=1&__nonce=n10&__token=10&limit=10",
                "q=a%20b%26c&token_paginator=1&__nonce=n20&__token=20&limit=10",
            ]
        )
    }

    @Test
    func pageHasTheInformationThatTheStyleReads() async throws {
        func first(_ way: ListServer.Way, _ query: String = "") async throws -> PaginationStyle.Info? {
            let list = ListServer(way: way, count: 25, size: 10)
            let request = SimpleNetworking.get("/items?\(query)")
            let pages = SimpleNetworking(over: list.transport).pages(
                of: ListServer.Item.self,
                at: "results",
                for: request,
                style: list.style
            )
            var iterator = pages.makeAsyncIterator()
            return try await iterator.next()?.info
        }
        let next = PaginationStyle.Step.link("/items?__nonce=n10&__token=10&limit=10")
        #expect(try await first(.links) == PaginationStyle.Info(next: next, itemsPerPage: 10))
        #expect(next.value(of: "__token") == "10" && next.value(of: "__nonce") == "n10")
        #expect(
            try await first(.numbers, "page=2")
                == PaginationStyle.Info(
                    next: .query([("page", 3)]),
                    previous: .query([("page", 1)]),
                    number: 2,
                    itemsPerPage: 10,
                    totalPages: 3
                )
        )
        #expect(try await first(.numbersByTotal, "page=3")?.next == nil)
        #expect(try await first(.linkHeader) == PaginationStyle.Info(next: .link("/items?cursor=10"), totalItems: 25))
        #expect(
            try await first(.offset, "offset=20&limit=15")
                == PaginationStyle.Info(previous: .query([("offset", 5)]), itemsPerPage: 15, totalItems: 25)
        )
    }

    @Test
    func customStyleReadsItsFields() async throws {
        let server = StubTransport()
            .on("/items", .json(#"{"d": {"list": ["a"], "on": {"to": 1.5}}}"#), times: 1)
            .on("/items", .json(#"{"d": {"list": null, "on": null}}"#))
        let style = PaginationStyle(fields: ["d.on.to"], start: [("from", 0)]) { reply in
            PaginationStyle.Info(next: reply["d.on.to"].map { .query([("from", $0)]) })
        }
        var found: [String] = []
        for try await text in SimpleNetworking(over: server).items(
            of: String.self,
            at: "d.list",
            for: SimpleNetworking.get("/items"),
            style: style
        ) {
            found.append(text)
        }
        #expect(found == ["a"])
        #expect(server.requests.map(\.url.query) == ["from=0", "from=1.5"])
    }

    @Test
    func fieldsAreFoundByADecoderThatConvertsFromSnakeCase() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let api = SimpleNetworking(host: "api.example.com") {
            $0.transport = StubTransport()
                .on("/items", .json(#"{"all_items": [1, 2], "next_cursor": "x"}"#), times: 1)
                .on("/items", .json(#"{"all_items": [3], "next_cursor": ""}"#))
            $0.decoder = decoder
        }
        var found: [Int] = []
        let style = PaginationStyle.cursor(at: "next_cursor")
        for try await number in api.items(
            of: Int.self,
            at: "all_items",
            for: SimpleNetworking.get("/items"),
            style: style
        ) {
            found.append(number)
        }
        #expect(found == [1, 2, 3])
    }

    @Test(arguments: ["18446744073709551615", "9007199254740993", "-7"])
    func cursorsOfAnySizeAreSentAsTheyCame(cursor: String) async throws {
        let server = StubTransport()
            .on("/items", .json(#"{"items": [1], "cursor": \#(cursor)}"#), times: 1)
            .on("/items", .json(#"{"items": [2]}"#))
        let api = SimpleNetworking(over: server)
        let request = SimpleNetworking.get("/items")
        for try await _ in api.pages(of: Int.self, at: "items", for: request, style: .cursor(at: "cursor")) {}
        #expect(server.requests.map(\.url.query) == [nil, "cursor=\(cursor)"])
    }

    /// The link is the server's choice, the body is for the origin that the program has named.
    @Test(arguments: [("https://elsewhere.example.com/items", 1), ("https://api.example.com/items?page=2", 2)])
    func bodyFollowsALinkOnlyToItsOrigin(link: String, requests: Int) async throws {
        let server = StubTransport()
            .on(.post, "*", .json(#"{"items": [1], "next": "\#(link)"}"#), times: 1)
            .on(.post, "*", .json(#"{"items": [2]}"#))
        let api = SimpleNetworking(over: server)
        let error = await api.post("/items") {
            $0.body(json: ["query": "tea"]).on(page: .links(), of: Int.self, at: "items") { _ in true }
        }.ended().error
        #expect(server.requests.count == requests)
        if requests == 2 { return #expect(error == nil) }
        guard case .invalidURL(link, _)? = error else { return #expect(Bool(false), "\(error as Any)") }
    }
}
