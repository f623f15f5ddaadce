import Foundation
import SimpleNetworkingCore
import SimpleNetworkingPagination
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

/// The names by which a style finds fields in the content.
@Suite(.timeLimit(.minutes(5)))
struct PageFieldTests {
    @Test(arguments: [
        ("@odata.nextLink", #""@odata.nextLink":"/b""#), ("a.b", #""a":{"b":"/b"}"#),
        ("a.b.c", #""a.b":{"c":"/b"}"#), ("a.b.c", #""a":{"b.c":"/b"}"#), ("a.b.c", #""a.b.c":"/b""#),
        ("a.b.c.d", #""a.b":{"c.d":"/b"}"#), ("a.b", #""a.b":"/b","a":{"b":"/wrong"}"#),
        ("a.b.c", #""a.b":{"x":1},"a":{"b":{"c":"/b"}}"#), ("_links.next.href", #""_links":{"next":{"href":"/b"}}"#),
        ("links.next", #""links":{"next":{"href":"/b","meta":{}}}"#), ("links.next", #""links":{"next":"/b"}"#),
        ("link[relation=next].url", #""link":[{"relation":"self","url":"/a"},{"relation":"next","url":"/b"}]"#),
        ("links[rel=next].href", #""links":[null,7,{"rel":["self"],"href":"/a"},{"rel":["x","next"],"href":"/b"}]"#),
        ("d.links[rel.a=x.y].to.href", #""d":{"links":[{"rel":{"a":"x.y"},"to":{"href":"/b"}}]}"#),
        ("links[1].href", #""links":[{"href":"/a"},{"href":"/b"}]"#), ("links[-1]", #""links":["/a","/b"]"#),
        ("links[0][1]", #""links":[["/a","/b"]]"#), ("l.s[0].a.b", #""l.s":[{"a.b":"/b"}]"#),
        ("a[0]", #""a[0]":"/b""#), ("links[rel=7].href", #""links":[{"rel":7,"href":"/b"}]"#),
    ])
    func linkIsFoundByItsPath(path: String, content: String) async {
        let last = #"{"items":[2],\#(content.replacingOccurrences(of: "\"/b\"", with: "null"))}"#
        for walk in await ListWalk.both({ .sending(#"{"items":[1],\#(content)}"#, last) }, .links(next: path)) {
            #expect(walk.items == [[1], [2]])
            #expect(walk.asked == ["/items", "/b"])
            #expect(walk.error == nil && walk.warnings.isEmpty)
        }
    }

    @Test(arguments: [
        ("my.items", #"{"my.items":[1,2]}"#), ("d.results", #"{"d":{"results":[1,2]}}"#),
        ("a.b.c", #"{"a.b":{"c":[1,2]}}"#),
        ("a.b.c", #"{"a":{"b.c":[1,2]}}"#), ("lists[name=x].items", #"{"lists":[{"name":"x","items":[1,2]}]}"#),
        ("[1]", "[[9],[1,2]]"), ("lists[0]", #"{"lists":[[1,2]]}"#), ("a.b", #"{"a.b":[1,2],"a":{"b":[3]}}"#),
    ])
    func listIsFoundByItsPath(path: String, content: String) async {
        for walk in await ListWalk.both({ .sending(content) }, .offset(total: "x"), at: path, for: limited) {
            #expect(walk.items.first == [1, 2])
        }
    }

    private var limited: SimpleRequest { SimpleNetworking.get("/items") }

    @Test(arguments: ["my.list", "links[0].items", "items[1]", "items["])
    func missingListIsADecodingError(path: String) async {
        for walk in await ListWalk.both({ .sending(#"{"items":{"x":[1]},"links":[{}]}"#) }, .links(), at: path) {
            guard case .decoding(let failure, _)? = walk.error else {
                Issue.record("\(walk)")
                continue
            }
            #expect("\(failure)".contains("there is no field “\(path)”"))
        }
    }

    @Test
    func convertedKeysAreFound() async {
        let contents = [
            #"{"my_items":[1],"_page_info":{"next_URL":"/b","last_ids":[{"item_id":5}]}}"#,
            #"{"my_items":[2],"_page_info":{"next_URL":null}}"#,
        ]
        for path in ["_page_info.next_URL", "_page_info.last_ids[item_id=5].item_id"] {
            let walks = await ListWalk.both({ .sending(contents) }, .links(next: path), at: "my_items") {
                let decoder = JSONDecoder()
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                $0.decoder = decoder
            }
            #expect(walks.map(\.items) == [[[1], [2]], [[1], [2]]], "\(path)")
        }
    }

    @Test
    func customStylesUseTheSamePaths() async {
        let style = PaginationStyle(fields: ["@odata.nextLink", "link[relation=next].url"]) { page in
            let link = page["@odata.nextLink"] ?? page["link[relation=next].url"]
            return PaginationStyle.Info(next: link.map { .link($0) })
        }
        let contents = [
            #"{"items":[1],"@odata.nextLink":"/b"}"#,
            #"{"items":[2],"link":[{"relation":"next","url":"/c"}]}"#, #"{"items":[3]}"#,
        ]
        for walk in await ListWalk.both({ .sending(contents) }, style) {
            #expect(walk.items == [[1], [2], [3]])
            #expect(walk.warnings.isEmpty)
        }
    }

    @Test(arguments: [
        ("next", PaginationStyle.links(), #"{"items":[1],"nextLink":"/b"}"#),
        ("paging.next", .links(next: "paging.next"), #"{"items":[1],"paging":{"nxt":"/b"}}"#),
        ("next", .links(), #"{"items":[1],"next":true}"#), ("next", .links(), #"{"items":[1],"next":{"url":"/b"}}"#),
        ("c", .cursor(at: "c"), #"{"items":[1]}"#), ("c", .cursor(at: "c"), #"{"items":[1],"c":{"after":"x"}}"#),
        ("c", .cursor(at: "c"), #"{"items":[1],"c":true}"#),
        ("more", .cursor(at: "c", more: "more"), #"{"items":[1],"c":"x"}"#),
        (
            "link[relation=nxt].url", .links(next: "link[relation=nxt].url"),
            #"{"items":[1],"link":[{"relation":"next"}]}"#
        ),
        ("X-Count", .linkHeader(total: "X-Count"), #"{"items":[1]}"#),
        ("count", .offset(total: "count"), #"{"items":[1],"total":1}"#),
        ("n", .numbers(pages: "n"), #"{"items":[1],"total":1}"#),
        ("own", PaginationStyle(fields: ["own"]) { _ in .init() }, #"{"items":[1]}"#),
    ])
    func fieldThatNoPageHadIsReported(field: String, style: PaginationStyle, content: String) async {
        let reason = "the list has ended, and no page had the field “\(field)”"
        for walk in await ListWalk.both({ .sending(content, #"{"items":[]}"#) }, style) {
            #expect(walk.items.first == [1] && walk.error == nil)
            #expect(walk.ignored == [reason])
            #expect(walk.warnings == ["warning GET /items: \(reason)."])
        }
    }

    @Test(arguments: [
        (PaginationStyle.links(), [#"{"items":[1],"next":null}"#]), (.links(), [#"{"items":[1],"next":""}"#]),
        (.links(), [#"{"items":[1],"next":"/b"}"#, #"{"items":[2]}"#]),
        (.links(next: "links.next"), [#"{"items":[1],"links":null}"#]),
        (.links(next: "links.next"), [#"{"items":[1],"links":{"next":null}}"#]), (.links(), [#"{"items":[]}"#]),
        (.links(), [#"{"items":[1],"next":{}}"#]), (.links(next: "a.b"), [#"{"items":[1],"a":{"b":[]}}"#]),
        (.cursor(at: "c"), [#"{"items":[1],"c":false}"#]),
        (.cursor(at: "c", more: "more"), [#"{"items":[1],"c":"x","more":false}"#]),
        (.numbers(), [#"{"items":[1]}"#, #"{"items":[]}"#]), (.offset(), [#"{"items":[1]}"#, #"{"items":[]}"#]),
        (.linkHeader(), [#"{"items":[1]}"#]), (.numbers(total: "count"), [#"{"items":[1],"count":1}"#]),
    ])
    func listThatSaysItsEndIsNotReported(style: PaginationStyle, contents: [String]) async {
        for walk in await ListWalk.both({ .sending(contents) }, style) {
            #expect(walk.items.count == contents.count && walk.error == nil)
            #expect(walk.warnings.isEmpty && walk.ignored.isEmpty)
        }
    }

    @Test
    func listThatReachesItsLimitIsNotReported() async throws {
        let log = Recorder<String>()
        let client = SimpleNetworking(over: StubTransport.sending(#"{"items":[1]}"#)) {
            $0.logger = log.logger(.warning)
        }
        let items = client.items(
            of: Int.self,
            at: "items",
            for: SimpleNetworking.get("/items"),
            style: .links(),
            limit: .pages(1)
        )
        #expect(try await items.reduce(0, +) == 1)
        #expect(log.elements.isEmpty)
    }
}
