import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingPagination

@Suite
struct LinkHeaderTests {
    @Test(arguments: [
        (#"</items?page=2>; rel="next""#, "/items?page=2"),
        (#"</items?page=2>;rel=next"#, "/items?page=2"),
        (#"</a>; rel="prev", </b>; rel="next", </c>; rel="last""#, "/b"),
        (#"</a>; rel="first NEXT""#, "/a"),
        (#"</a,b;c>; title="x, <y>; rel=\"no\""; rel=next"#, "/a,b;c"),
        (#"</a> ; REL = "next""#, "/a"),
        (#"</a>; rel="prev"; rel="next", </b>; rel="next""#, "/b"),
        (#"</a>; anchor="/elsewhere"; rel="next", </b>; rel=next"#, "/b"),
        (#"</a>; title="never closed; rel=next"#, nil),
        (#"</a>; nextrel=next"#, nil),
        (#"</a"#, nil),
        (#"rel=next"#, nil),
        ("", nil),
        (#", ,</a>;; rel=next;,"#, "/a"),
        (#"<>; rel="next""#, ""),
    ])
    func theNextLinkIsFoundAmongOthers(text: String, target: String?) {
        #expect(LinkHeader(text).target(of: "next") == target)
    }

    @Test
    func aLinkHasItsRelationsAndParameters() {
        let links = LinkHeader(#"</a>; rel="next archives"; title="A \"b\", c"; hreflang=de, <b>; rel=prev"#).links
        #expect(links.map(\.target) == ["/a", "b"])
        #expect(links[0].relations == ["next", "archives"])
        #expect(links[0].parameters == ["title": #"A "b", c"#, "hreflang": "de"])
        #expect(links[1].relations == ["prev"])
    }

    @Test(arguments: [
        ("/items?page=2", "https://api.example.com/items?page=2"),
        ("items?page=2", "https://api.example.com/v1/items?page=2"),
        ("?page=2", "https://api.example.com/v1/list?page=2"),
        ("//other.example/x", "https://other.example/x"),
        ("https://other.example/x", "https://other.example/x"),
        ("ftp://other.example/x", nil),
        ("https://user@other.example/x", nil),
    ])
    func aTargetIsResolvedAgainstTheURLOfTheResponse(target: String, url: String?) throws {
        let head = RequestHead(url: try #require(URL(string: "https://api.example.com/v1/list?page=1")))
        let response = SimpleResponse(request: head, headers: ["Link": "<\(target)>; rel=next"])
        #expect(response.link("next")?.absoluteString == url)
    }

    @Test
    func severalFieldsAreOneList() throws {
        let head = RequestHead(url: try #require(URL(string: "https://api.example.com/")))
        let response = SimpleResponse(
            request: head,
            headers: HTTPHeaders(fields: [.init("Link", "</a>; rel=prev"), .init("link", "</b>; rel=next")])
        )
        #expect(response.link("NEXT")?.path == "/b")
        #expect(response.links.description == "prev: /a, next: /b")
    }

    @Test
    func tokensInLinksAreNotPrinted() {
        let links = LinkHeader("</a?__token=s3cret>; rel=next")
        #expect(!"\(links) \(links.links) \(links.links[0])".contains("s3cret"))
    }
}
