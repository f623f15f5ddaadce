import Foundation
import SimpleNetworking
import SimpleNetworkingPagination
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

/// The pagination of NationBuilder's client, made of what is public.
private struct NationPagination: Equatable {
    var currentPageNumber = 1
    var numberOfItemsPerPage = 10
    var numberOfTotalPages: Int?
    var numberOfTotalItems: Int?
    var next: PaginationStyle.Step?
    var previous: PaginationStyle.Step?

    var isLastPage: Bool { next == nil }

    init<Item>(_ page: Page<Item>) {
        currentPageNumber = page.info.number ?? page.number
        numberOfItemsPerPage = page.info.itemsPerPage ?? 10
        (numberOfTotalPages, numberOfTotalItems) = (page.info.totalPages, page.info.totalItems)
        (next, previous) = (page.info.next, page.info.previous)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct NationPaginationTests {
    private struct Person: Decodable, Sendable {
        let id: Int
    }

    @Test
    func tokenLinksCarryNonceAndTokenAndThePageIsCounted() async throws {
        let first = "/api/v1/people?__nonce=00123&__token=1.2.3&limit=5"
        let second = "/api/v1/people?__nonce=&__token=ADK&limit=5"
        let server = StubTransport()
            .on("/api/v1/people", .json(#"{"results": [{"id": 1}], "next": "\#(first)", "prev": null}"#), times: 1)
            .on("/api/v1/people", .json(#"{"results": [{"id": 2}], "next": null, "prev": "\#(second)"}"#))
        var found: [NationPagination] = []
        let request = SimpleNetworking.get("/api/v1/people", query: ["token_paginator": "1", "limit": "5"])
        let style = PaginationStyle.links(keeping: ["token_paginator"])
        for try await page in SimpleNetworking(over: server).pages(
            of: Person.self,
            at: "results",
            for: request,
            style: style
        ) {
            found.append(NationPagination(page))
        }
        #expect(found.map(\.currentPageNumber) == [1, 2])
        #expect(found.map(\.numberOfItemsPerPage) == [5, 5])
        #expect(found.map(\.isLastPage) == [false, true])
        #expect(found[0].next?.value(of: "__nonce") == "00123")
        #expect(found[0].next?.value(of: "__token") == "1.2.3")
        #expect(found[1].previous?.value(of: "__nonce") == "")
        #expect(
            server.requests.last?.url.query == "token_paginator=1&__nonce=00123&__token=1.2.3&limit=5"
        )
    }

    @Test
    func goingBackwardsFollowsPrev() async throws {
        let server = StubTransport()
            .on("/people", .json(#"{"results": [{"id": 2}], "next": "/people?a", "prev": "/people?b"}"#), times: 1)
            .on("/people", .json(#"{"results": [{"id": 1}], "next": "/people?c", "prev": null}"#))
        var ids: [Int] = []
        for try await person in SimpleNetworking(over: server).items(
            of: Person.self,
            at: "results",
            for: SimpleNetworking.get("/people"),
            style: .links(next: "prev", previous: "next")
        ) {
            ids.append(person.id)
        }
        #expect(ids == [2, 1])
        #expect(server.requests.map(\.url.query) == [nil, "b"])
    }

    @Test
    func legacyNumbersEndAtTheLastPage() async throws {
        func content(_ page: Int) -> StubResponse {
            .json(#"{"results": [{"id": \#(page)}], "page": \#(page), "per_page": 1, "total_pages": 3, "total": 3}"#)
        }
        let server = StubTransport()
        for page in 1...3 { server.on("/people/search", content(page), times: 1) }
        var found: [NationPagination] = []
        let request = SimpleNetworking.get("/people/search", query: ["per_page": "1"])
        for try await page in SimpleNetworking(over: server).pages(
            of: Person.self,
            at: "results",
            for: request,
            style: .numbers()
        ) {
            found.append(NationPagination(page))
        }
        #expect(found.map(\.currentPageNumber) == [1, 2, 3])
        #expect(found.map(\.isLastPage) == [false, false, true])
        #expect(
            found.allSatisfy {
                $0.numberOfTotalPages == 3 && $0.numberOfTotalItems == 3 && $0.numberOfItemsPerPage == 1
            }
        )
    }
}
