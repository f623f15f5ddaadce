import Foundation
import SimpleNetworking
import SimpleNetworkingPagination
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

/// How servers tell the end of a list, and what looks like one.
@Suite(.timeLimit(.minutes(5)))
struct ListEndTests {
    @Test(arguments: [
        "0", #""0""#, "-1", #""-1""#, "false", #""false""#, "null", #""null""#, #""""#, "{}", "[]", "-1.0",
    ])
    func valueThatMeansNoneEndsTheList(value: String) async {
        let contents = #"{"items":[1],"next":\#(value)}"#
        for style in [PaginationStyle.cursor(at: "next"), .links(), .cursor(at: "next", parameter: "page")] {
            for walk in await ListWalk.both({ .sending(contents) }, style) {
                #expect(walk.items == [[1]] && walk.error == nil)
                #expect(walk.asked == ["/items"] && walk.warnings.isEmpty)
            }
        }
    }

    /// Some servers write 0 or -1 if they haven't counted.
    @Test(arguments: ["-1", "0"])
    func aTotalThatCannotBeOneDoesNotEndTheList(total: String) async {
        let bodies = [1, 2, nil].map { #"{"items":[\#($0.map { "\($0)" } ?? "")],"total":\#(total)}"# }
        for walk in await ListWalk.both({ .sending(bodies) }, .numbers()) {
            #expect(walk.items == [[1], [2], []] && walk.error == nil)
        }
    }

    @Test(arguments: ["0", "-1", "false"])
    func anOptionMakesAnEndACursor(cursor: String) async {
        let style = PaginationStyle.cursor(at: "next", ends: ["end"])
        let contents = [#"{"items":[1],"next":"\#(cursor)"}"#, #"{"items":[2],"next":"end"}"#]
        for walk in await ListWalk.both({ .sending(contents) }, style) {
            #expect(walk.items == [[1], [2]] && walk.error == nil)
            #expect(walk.asked == ["/items", "/items?cursor=\(cursor)"])
        }
    }

    @Test(arguments: [
        ("A", "A"), ("A", "B"), ("A", "*"),
    ])
    func emptyPageThatLeadsBackIsTheEnd(second: String, third: String) async {
        let first = SimpleNetworking.get("/items", query: ["cursor": "*"])
        var contents = [#"{"items":[1],"c":"\#(second)"}"#]
        if third == "B" { contents.append(#"{"items":[2],"c":"B"}"#) }
        contents.append(#"{"items":[],"c":"\#(third == "B" ? "A" : third)"}"#)
        for walk in await ListWalk.both({ .sending(contents) }, .cursor(at: "c"), for: first) {
            #expect(walk.items.count == contents.count && walk.items.last == [])
            #expect(walk.error == nil && walk.asked.count == contents.count)
        }
    }

    @Test
    func emptyPageWithALinkToItselfIsTheEnd() async {
        let contents = [#"{"items":[1],"next":"/b"}"#, #"{"items":[],"next":"/b"}"#]
        for walk in await ListWalk.both({ .sending(contents) }, .links()) {
            #expect(walk.items == [[1], []] && walk.error == nil && walk.asked == ["/items", "/b"])
        }
    }

    @Test(arguments: [["A", "A"], ["A", "B", "A"]])
    func pageWithItemsThatLeadsBackIsAnError(cursors: [String]) async {
        let contents = cursors.map { #"{"items":[1],"c":"\#($0)"}"# }
        for walk in await ListWalk.both({ .sending(contents) }, .cursor(at: "c")) {
            guard case .failed(is PaginationFailure, _, _)? = walk.error else {
                Issue.record("\(walk)")
                continue
            }
            #expect(walk.items.count == contents.count)
        }
    }

    @Test(arguments: [
        ("true", true), (#""true""#, true), ("1", true), (#""1""#, true), ("12", true), (#""True""#, true),
        ("false", false),
        ("0", false), (#""false""#, false), ("null", false), (#""no""#, false),
    ])
    func flagSaysWhetherThereIsMore(flag: String, isTrue: Bool) async {
        let contents = [#"{"items":[1],"c":"x","more":\#(flag)}"#, #"{"items":[2],"c":"y","more":false}"#]
        for walk in await ListWalk.both({ .sending(contents) }, .cursor(at: "c", more: "more")) {
            #expect(walk.items == (isTrue ? [[1], [2]] : [[1]]) && walk.error == nil)
        }
    }

    @Test
    func lastItemIsTheCursor() async {
        let contents = [#"{"items":[7,8],"has_more":true}"#, #"{"items":[9],"has_more":false}"#]
        let style = PaginationStyle.cursor(at: "items[-1]", parameter: "starting_after", more: "has_more")
        for walk in await ListWalk.both({ .sending(contents) }, style) {
            #expect(walk.items == [[7, 8], [9]])
            #expect(walk.asked == ["/items", "/items?starting_after=8"])
        }
    }

    // MARK: Totals

    struct Total: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var style: PaginationStyle
        var field = ""
        var headers: HTTPHeaders = [:]
        var sizes = [10, 10, 5]
    }

    /// The page after the last one is status 404.
    @Test(arguments: [
        Total(testDescription: "named total", style: .numbers(total: "count"), field: #""count":25"#),
        Total(testDescription: "total as text", style: .numbers(total: "count"), field: #""count":"25""#),
        Total(testDescription: "standard total", style: .numbers(), field: #""total":25"#),
        Total(
            testDescription: "total behind dots",
            style: .numbers(total: "@odata.count"),
            field: #""@odata.count":25"#
        ),
        Total(
            testDescription: "nested total",
            style: .numbers(total: "meta.page.total"),
            field: #""meta":{"page":{"total":25}}"#
        ),
        Total(testDescription: "pages", style: .numbers(pages: "n"), field: #""n":3"#),
        Total(testDescription: "pages as text", style: .numbers(), field: #""total_pages":"3""#),
        Total(
            testDescription: "requested size",
            style: .numbers(itemsPerPage: 10, total: "count"),
            field: #""count":25"#
        ),
        Total(testDescription: "WordPress", style: .numbers(), headers: ["X-WP-Total": "25", "X-WP-TotalPages": "3"]),
        Total(testDescription: "X-Total-Count", style: .numbers(itemsPerPage: 10), headers: ["x-total-count": " 25 "]),
        Total(testDescription: "X-Total-Pages", style: .numbers(), headers: ["X-Total-Pages": "3"]),
        Total(testDescription: "named field", style: .numbers(total: "X-Size"), headers: ["X-Size": "25"]),
        Total(testDescription: "named pages field", style: .numbers(pages: "X-Last"), headers: ["X-Last": "3"]),
        Total(
            testDescription: "Content-Range",
            style: .numbers(total: "Content-Range"),
            headers: ["Content-Range": "items 0-9/25"]
        ),
        Total(testDescription: "offset", style: .offset(total: "count"), field: #""count":25"#),
        Total(testDescription: "offset by field", style: .offset(), headers: ["X-Total-Count": "25"]),
        Total(testDescription: "offset by named field", style: .offset(total: "X-Size"), headers: ["X-Size": "25"]),
        Total(
            testDescription: "a server with a limit",
            style: .numbers(itemsPerPage: 100, total: "count"),
            field: #""count":25"#
        ),
        Total(
            testDescription: "items that are hidden",
            style: .numbers(itemsPerPage: 10, total: "count"),
            field: #""count":25"#,
            sizes: [10, 10, 3]
        ),
        Total(
            testDescription: "the total of the server's size",
            style: .numbers(),
            field: #""total":25,"per_page":10"#,
            sizes: [10, 9, 4]
        ),
        Total(
            testDescription: "a link after the last item",
            style: .linkHeader(total: "X-Total-Count"),
            headers: ["X-Total-Count": "25", "Link": "</items?x>; rel=next"],
            sizes: [25]
        ),
    ])
    func listEndsWithItsTotal(total: Total) async {
        let contents = total.sizes.map { size in
            "{"
                + [#""items":\#(Array(repeating: 1, count: size))"#, total.field].filter { !$0.isEmpty }.joined(
                    separator: ","
                )
                + "}"
        }
        for walk in await ListWalk.both({ .sending(contents, headers: total.headers) }, total.style) {
            #expect(walk.items.map(\.count) == total.sizes)
            #expect(walk.error == nil && walk.asked.count == total.sizes.count)
            #expect(walk.warnings.isEmpty)
        }
    }

    @Test(arguments: [(nil, 25), (3, 5)])
    func pageInTheMiddleIsCountedFromTheStart(page: Int?, count: Int) async {
        let sizes = page == nil ? [10, 10, 5] : [5]
        let contents = sizes.map { #"{"items":\#(Array(repeating: 1, count: $0)),"count":25}"# }
        let first = SimpleNetworking.get("/items", query: [("page", page)])
        let style = PaginationStyle.numbers(itemsPerPage: 10, total: "count")
        for walk in await ListWalk.both({ .sending(contents) }, style, for: first) {
            #expect(walk.items.joined().count == count && walk.error == nil)
        }
    }

    @Test(arguments: [PaginationStyle.numbers(total: "n"), .offset(total: "n")])
    func totalThatChangesIsTheLatest(style: PaginationStyle) async {
        for totals in [[25, 20], [15, 20], [30, 5]] {
            let contents = totals.map { #"{"items":[1,2,3,4,5,6,7,8,9,10],"n":\#($0)}"# }
            for walk in await ListWalk.both({ .sending(contents) }, style) {
                #expect(walk.items.count == 2 && walk.error == nil, "\(totals)")
            }
        }
    }

    /// The total may be smaller because items that have arrived were deleted.
    @Test
    func linkIsFollowedThoughTheTotalShrinks() async {
        let server = {
            StubTransport()
                .on("*", .json("[1,2]", headers: ["X-N": "4", "Link": "</b>; rel=next"]), times: 1)
                .on("*", .json("[3]", headers: ["X-N": "3", "Link": "</c>; rel=next"]), times: 1)
                .on("*", .json("[4]", headers: ["X-N": "3", "Link": "</d>; rel=next"]), times: 1)
        }
        for walk in await ListWalk.both(server, .linkHeader(total: "X-N"), at: nil) {
            #expect(walk.items == [[1, 2], [3], [4]] && walk.error == nil)
        }
    }

    @Test
    func errorAfterALimitedServersPagesIsNotHidden() async {
        let content = #"{"items":[1,2]}"#
        for walk in await ListWalk.both({ .sending(content) }, .numbers()) {
            #expect(walk.items == [[1, 2]] && walk.error?.httpStatus == 404)
        }
    }
}
