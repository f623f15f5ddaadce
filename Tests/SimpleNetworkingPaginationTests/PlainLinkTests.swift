import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingPagination

/// Links that lead from https to http.
@Suite(.timeLimit(.minutes(5)))
struct PlainLinkTests {
    private static let reason = "it leads from https to http"

    private func page(_ link: String) -> StubResponse {
        .json(
            #"{"items":[1],"next":"\#(link)","link":[{"rel":"next","href":"\#(link)"}]}"#,
            headers: ["Link": "<\(link)>; rel=next"]
        )
    }

    @Test(
        arguments: [
            PaginationStyle.links(), .linkHeader(), .links(next: "link[rel=next].href"),
            PaginationStyle(fields: ["next"]) { .init(next: $0["next"].map { .link($0) }) },
        ],
        [
            "http://api.example.com/b", "HTTP://api.example.com/b", "http://127.0.0.1/b",
            "http://api.example.com:443/b", "http://localhost:1/b", " http://other.example/b",
        ]
    )
    func plainLinkIsNotFollowed(style: PaginationStyle, link: String) async {
        for policy in [RedirectPolicy.follow, .never] {
            let server = { StubTransport().on("*", page(link)) }
            for walk in await ListWalk.both(server, style, { $0.redirectPolicy = policy }) {
                #expect(walk.items == [[1]] && walk.asked == ["/items"])
                guard case .redirect(Self.reason, let response)? = walk.error else {
                    Issue.record("\(walk)")
                    continue
                }
                #expect(response.httpStatus == 200)
                #expect("\(walk.error as Any)".contains("the link to the next page was not followed: \(Self.reason)."))
            }
        }
    }

    @Test(arguments: [
        "/b", "b", "//other.example/b", "https://other.example/b", "?page=2", "HTTPS://api.example.com/b",
    ])
    func otherLinksAreFollowed(link: String) async {
        let server = { StubTransport().on("*", page(link), times: 1).on("*", .json(#"{"items":[2]}"#)) }
        for walk in await ListWalk.both(server, .links()) {
            #expect(walk.items == [[1], [2]] && walk.error == nil)
        }
    }

    @Test
    func redirectOfALinkIsNotFollowedEither() async {
        let server = {
            StubTransport().on("*", page("/b"), times: 1).on("/b", .redirect(to: "http://api.example.com/c"))
        }
        for walk in await ListWalk.both(server, .links()) {
            guard case .redirect(Self.reason, _)? = walk.error else {
                Issue.record("\(walk)")
                continue
            }
            #expect(walk.asked == ["/items", "/b"])
        }
    }

    /// The link belongs to the URL of the page, not to the URL that was asked for.
    @Test
    func linkIsComparedWithTheURLAfterRedirects() async {
        let server = {
            StubTransport().on("/items", .redirect(to: "https://other.example/items"), times: 1)
                .on("/items", page("http://api.example.com/b"))
        }
        let first = SimpleNetworking.get("http://api.example.com/items")
        for walk in await ListWalk.both(server, .links(), for: first) {
            #expect(walk.items == [[1]] && walk.asked.count == 2)
            #expect(walk.error?.description.contains(Self.reason) == true)
        }
    }

    @Test
    func plainListHasPlainLinks() async {
        let first = SimpleNetworking.get("http://api.example.com/items")
        let server = {
            StubTransport().on("*", page("http://api.example.com/b"), times: 1).on(
                "*",
                .json(#"{"items":[2],"next":null}"#)
            )
        }
        for walk in await ListWalk.both(server, .links(), for: first) { #expect(walk.items == [[1], [2]]) }
    }

    @Test
    func aRequestMayAllowPlainLinks() async {
        let server = {
            StubTransport().on("*", page("http://api.example.com/b"), times: 1).on(
                "*",
                .json(#"{"items":[2],"next":null}"#)
            )
        }
        let allowing = RedirectPolicy(allowsDowngrade: true)
        let first = SimpleNetworking.get("/items").redirects(allowing)
        for walk in await ListWalk.both(server, .links(), for: first) { #expect(walk.items == [[1], [2]]) }
        for walk in await ListWalk.both(server, .links(), { $0.redirectPolicy = allowing }) {
            #expect(walk.items == [[1], [2]])
        }
    }

    @Test
    func traceAndHandlersSeeTheError() async throws {
        let errors = Recorder<String>()
        let client = SimpleNetworking(over: StubTransport().on("*", page("http://api.example.com/b")))
        let request = client.get("/items") {
            $0.on(page: .links(), of: Int.self, at: "items") { _ in true }
                .on(error: { error, response in errors.add("\(response?.httpStatus ?? 0) \(error)") })
        }
        await request.ended()
        let text = "the link to the next page was not followed: \(Self.reason)."
        #expect(errors.elements == ["200 GET https://api.example.com/items got status 200, but \(text)"])
        guard case .failure(.redirect)? = request.trace.end else { throw Surprise("\(request.trace)") }
        #expect(request.trace.description.contains(text))
    }
}
