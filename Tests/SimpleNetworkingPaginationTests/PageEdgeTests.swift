import Foundation
import SimpleNetworking
import SimpleNetworkingPagination
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PageEdgeTests {
    /// Goes through all pages both ways, and gives the sizes of the pages and how each way ended.
    private func walk(
        _ server: @escaping () -> StubTransport,
        _ style: PaginationStyle,
        limit: PaginationStyle.Limit = .none
    ) async -> (sizes: [[Int]], errors: [SimpleNetworkingError?], asked: [[String]]) {
        let (awaited, handled) = (server(), server())
        var sizes: [Int] = []
        var error: SimpleNetworkingError?
        let first = SimpleNetworking.get("/items")
        do {
            for try await page in SimpleNetworking(over: awaited).pages(
                of: Int.self,
                at: "items",
                for: first,
                style: style,
                limit: limit
            ) {
                sizes.append(page.items.count)
            }
        } catch let thrown {
            error = thrown as? SimpleNetworkingError
        }
        let told = Recorder<Int>()
        let request = SimpleNetworking(over: handled).get("/items") {
            $0.on(page: style, of: Int.self, at: "items", limit: limit) { page in
                told.add(page.items.count)
                return true
            }
        }
        let end = await request.ended()
        return (
            [sizes, told.elements], [error, end.error],
            [awaited, handled].map { $0.requests.map { $0.url.absoluteString } }
        )
    }

    struct Edge: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let style: PaginationStyle
        let replies: [String]
        let sizes: [Int]
    }

    @Test(arguments: [
        Edge(
            testDescription: "null links",
            style: .links(),
            replies: [#"{"items":[1],"next":null,"prev":null}"#],
            sizes: [1]
        ),
        Edge(testDescription: "no links", style: .links(), replies: [#"{"items":[1]}"#], sizes: [1]),
        Edge(testDescription: "empty link", style: .links(), replies: [#"{"items":[1],"next":""}"#], sizes: [1]),
        Edge(
            testDescription: "empty page with a link",
            style: .links(),
            replies: [#"{"items":[],"next":"/items?__token=2"}"#, #"{"items":[1],"next":null}"#],
            sizes: [0, 1]
        ),
        Edge(
            testDescription: "zero per page",
            style: .numbers(),
            replies: [#"{"items":[],"total":15,"per_page":0}"#],
            sizes: [0]
        ),
        Edge(
            testDescription: "zero per page with items",
            style: .numbers(),
            replies: [#"{"items":[1],"total":15,"per_page":0}"#, #"{"items":[],"total":15,"per_page":0}"#],
            sizes: [1, 0]
        ),
        Edge(
            testDescription: "no pages at all",
            style: .numbers(),
            replies: [#"{"items":[],"total_pages":0}"#],
            sizes: [0]
        ),
        Edge(
            testDescription: "no items at all",
            style: .numbers(),
            replies: [#"{"items":[],"total":0,"per_page":10}"#],
            sizes: [0]
        ),
        Edge(
            testDescription: "an empty page amid others",
            style: .numbers(),
            replies: [#"{"items":[],"total_pages":2}"#, #"{"items":[1],"total_pages":2}"#],
            sizes: [0, 1]
        ),
        Edge(
            testDescription: "numbers as text",
            style: .numbers(),
            replies: [#"{"items":[1],"total_pages":"2"}"#, #"{"items":[2],"total_pages":"2"}"#],
            sizes: [1, 1]
        ),
        Edge(
            testDescription: "a server that always says page 1",
            style: .numbers(),
            replies: [#"{"items":[1],"page":1,"total_pages":2}"#, #"{"items":[2],"page":1,"total_pages":2}"#],
            sizes: [1, 1]
        ),
        Edge(
            testDescription: "zero by offset",
            style: .offset(itemsPerPage: 0),
            replies: [#"{"items":[],"total":9}"#],
            sizes: [0]
        ),
        Edge(testDescription: "offset beyond", style: .offset(), replies: [#"{"items":[1,2],"total":1}"#], sizes: [2]),
        Edge(
            testDescription: "a cursor of digits with leading zeros",
            style: .cursor(at: "c"),
            replies: [#"{"items":[1],"c":"0012"}"#, #"{"items":[2],"c":null}"#],
            sizes: [1, 1]
        ),
        Edge(
            testDescription: "a cursor that is an object",
            style: .cursor(at: "c"),
            replies: [#"{"items":[1],"c":{}}"#],
            sizes: [1]
        ),
        Edge(
            testDescription: "a cursor on the last page",
            style: .cursor(at: "c", more: "more"),
            replies: [#"{"items":[1],"c":"x","more":false}"#],
            sizes: [1]
        ),
        Edge(testDescription: "no list but null", style: .links(), replies: [#"{"items":null}"#], sizes: [0]),
        Edge(testDescription: "no Link field", style: .linkHeader(), replies: [#"{"items":[1]}"#], sizes: [1]),
    ])
    func theEndIsKnown(edge: Edge) async {
        let walk = await walk(
            {
                let server = StubTransport()
                for reply in edge.replies { server.on("/items", .json(reply), times: 1) }
                return server
            },
            edge.style
        )
        #expect(walk.sizes == [edge.sizes, edge.sizes])
        #expect(walk.errors.allSatisfy { $0 == nil }, "\(walk.errors)")
        #expect(walk.asked.map(\.count) == [edge.replies.count, edge.replies.count])
    }

    @Test(arguments: [
        ["/items"], ["/items?t=2", "/items?t=2"], ["/items?t=2", "/items"], ["?t=2", "/items?t=3", "items?t=2"],
        ["https://api.example.com/items"],
    ])
    func aLinkThatRepeatsEndsWithAnError(links: [String]) async {
        let walk = await walk(
            {
                let server = StubTransport()
                for link in links { server.on("/items", .json(#"{"items": [1], "next": "\#(link)"}"#), times: 1) }
                return server
            },
            .links()
        )
        #expect(walk.sizes.allSatisfy { $0 == links.map { _ in 1 } })
        for error in walk.errors {
            guard case .failed(let failure, _, let response?)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(failure as? PaginationFailure == .repeatedPage(.link(links.last ?? "")))
            #expect(response.httpStatus == 200)
        }
        #expect(walk.asked.map(\.count) == [links.count, links.count])
    }

    /// A credential in the query makes the page's URL another one than the link to it.
    @Test(arguments: [true, false])
    func aLinkToAPageWhoseURLIsSignedEndsWithAnError(isSigned: Bool) async {
        struct QueryKey: Authenticator {
            func credential() async throws -> String? { "k" }
            func sign(_ request: inout TransportRequest, with credential: String) {
                let sign = request.url.query == nil ? "?" : "&"
                guard let url = URL(string: request.url.absoluteString + sign + "key=" + credential) else { return }
                request.url = url
            }
        }
        let base = "https://api.example.com/items"
        let server = StubTransport()
            .on("/items", where: [.query("page", "2")], .json(#"{"items":[2],"next":"\#(base)"}"#))
            .on("/items", .json(#"{"items":[1],"next":"\#(base)?page=2"}"#))
        let client = SimpleNetworking(over: server) { if isSigned { $0.authenticator = QueryKey() } }
        var sizes: [Int] = []
        await #expect(throws: SimpleNetworkingError.self) {
            let first = SimpleNetworking.get("/items")
            for try await page in client.pages(of: Int.self, at: "items", for: first, style: .links()) {
                sizes.append(page.items.count)
            }
        }
        #expect(sizes == [1, 1] && server.requests.count == 2)
    }

    @Test
    func repeatedCursorFails() async {
        let walk = await walk(
            { StubTransport().on("/items", .json(#"{"items": [1], "c": "again"}"#)) },
            .cursor(at: "c")
        )
        #expect(walk.sizes == [[1, 1], [1, 1]])
        #expect(walk.errors.allSatisfy { "\(String(describing: $0))".contains("requested before: cursor=again") })
    }

    @Test(arguments: ["ftp://x/y", "https://user:pw@api.example.com/", "http://[", "javascript:alert(1)"])
    func invalidPageLinkFails(link: String) async {
        let walk = await walk(
            { StubTransport().on("/items", .json(#"{"items": [1], "next": "\#(link)"}"#)) },
            .links()
        )
        #expect(walk.sizes == [[1], [1]])
        for error in walk.errors {
            guard case .invalidURL? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test(arguments: [#"{"other": []}"#, "[1]", "true", "", #"{"items": ["x"]}"#])
    func contentWithoutTheListFailsWithDecoding(content: String) async {
        let walk = await walk({ StubTransport().on("/items", .json(content)) }, .links())
        for error in walk.errors {
            guard case .decoding(let failure, _)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(failure.type == "Array<Int>")
        }
        #expect(walk.sizes == [[], []])
    }

    @Test
    func responseWithoutContentIsAnEmptyPage() async {
        let walk = await walk({ StubTransport().on("/items", .status(204)) }, .links())
        #expect(walk.sizes == [[0], [0]])
        #expect(walk.errors.allSatisfy { $0 == nil })
    }

    @Test(arguments: [
        (PaginationStyle.Limit.pages(2), [3, 3]), (.items(4), [3, 1]), (.items(3), [3]), (.items(6), [3, 3]),
        (.pages(1), [3]),
        (.pages(9, items: 5), [3, 2]), (.pages(1, items: 5), [3]),
    ])
    func aLimitIsTheEnd(limit: PaginationStyle.Limit, sizes: [Int]) async {
        let walk = await walk(
            { StubTransport().on("/items", .json(#"{"items": [1, 2, 3]}"#)) },
            .offset(),
            limit: limit
        )
        #expect(walk.sizes == [sizes, sizes])
        #expect(walk.errors.allSatisfy { $0 == nil })
        #expect(walk.asked.map(\.count) == [sizes.count, sizes.count])
    }

    @Test
    func failedPageEndsTheListWithItsResponse() async {
        let walk = await walk(
            {
                StubTransport().on("/items", .json(#"{"items": [1], "next": "?t=2"}"#), times: 1)
                    .on("/items", .text("down", status: 503))
            },
            .links()
        )
        #expect(walk.sizes == [[1], [1]])
        #expect(walk.errors.map { $0?.response?.text } == ["down", "down"])
    }

    /// A path is then relative to where the redirect led.
    @Test
    func keptPairsDoNotFollowARedirectToAnotherHost() async throws {
        let server = StubTransport()
            .on("/items", .redirect(to: "https://evil.example/items"), times: 1)
            .on("/items", .replies(.json(#"{"items": [1], "next": "/items?page=2"}"#), .json(#"{"items": [2]}"#)))
        let api = SimpleNetworking(over: server)
        let request = SimpleNetworking.get("/items", query: ["access_token": "s3cret"])
        let style = PaginationStyle.links(keeping: ["access_token"])
        for try await _ in api.pages(of: Int.self, at: "items", for: request, style: style) {}
        #expect(server.requests.map { $0.url.query?.contains("s3cret") ?? false } == [true, false, false])
        #expect(server.requests.map(\.url.host) == ["api.example.com", "evil.example", "evil.example"])
    }

    @Test(arguments: [PaginationStyle.links(keeping: ["access_token"]), .linkHeader()])
    func credentialsDoNotFollowALinkToAnotherHost(style: PaginationStyle) async throws {
        let server = StubTransport()
            .on(
                "/items",
                .json(
                    #"{"items": [1], "next": "https://evil.example/more"}"#,
                    headers: ["Link": "<https://evil.example/more>; rel=next"]
                )
            )
            .on("/more", .json(#"{"items": [2], "next": null}"#))
        let api = SimpleNetworking(over: server) {
            $0.authenticator = BearerAuthenticator(token: Secret("s3cret"))
            $0.secretHeaders = ["X-Account"]
            $0.sharedHeaders = ["X-Plain"]
            $0.defaultHeaders["X-Account"] = "s3cret"
        }
        func first() -> SimpleRequest {
            SimpleNetworking.get("/items", query: ["access_token": "s3cret"], headers: ["X-Plain": "plain"])
                .header("X-Own", "s3cret", isSecret: true)
                .header("Cookie", "s=s3cret")
        }
        for try await _ in api.pages(of: Int.self, at: "items", for: first(), style: style) {}
        let handled = first().on(page: style, of: Int.self, at: "items") { _ in true }
        #expect(await handled.execute(on: api).ended().value != nil)

        #expect(server.log == ["GET /items", "GET /more", "GET /items", "GET /more"])
        for sent in server.requests(to: "/items") {
            #expect(sent.headers["Authorization"] == "Bearer s3cret" && sent.headers["X-Own"] == "s3cret")
        }
        for sent in server.requests(to: "/more") {
            #expect(sent.url.absoluteString == "https://evil.example/more")
            #expect(!sent.headers.contains { $0.value.contains("s3cret") })
            #expect(sent.headers["X-Plain"] == "plain")
        }
    }
}
