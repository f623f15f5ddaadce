import ClientTestSupport
import DemoServer
import Foundation
import NationBuilderClient
import SimpleNetworking
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import Testing

/// NB-43 to NB-57: pages.
@Suite(.timeLimit(.minutes(1)))
struct PaginationTests {
    private func page(_ content: [String: Any] = [:], isLegacy: Bool = false) -> NationPagination {
        NationPagination(content, isLegacy: isLegacy)
    }

    private func query(_ page: NationPagination, legacy: Bool = false) async throws -> String? {
        let nation = NationBuilder(StubTransport(), apiKey: "k")
        nation.usesLegacyPagination = legacy
        return try await nation.sent(.people(), page: page).url.query
    }

    // NB-43
    @Test
    func aFirstPageHasTenItemsAndNoNumberBelowOne() {
        var page = NationPagination()
        #expect(page.currentPage == 1 && page.itemsPerPage == 10 && page.direction == .next && !page.isLegacy)
        page.currentPage = -3
        #expect(page.currentPage == 1)
    }

    // NB-44, NB-46
    @Test
    func linksAreReadUnchangedAndNullIsNil() {
        let next = "/api/v1/people?__nonce=1&__token=t&limit=5"
        let middle = page(["limit": 7, "next": next, "prev": NSNull()])
        #expect(middle.nextPage == next && middle.previousPage == nil && middle.itemsPerPage == 7)
        #expect(page(["next": next]).itemsPerPage == 5)
        #expect(page(["next": NSNull()]).itemsPerPage == 10)
    }

    // NB-45, NB-46
    @Test
    func legacyNumbersAreRead() {
        let old = page(["page": 2, "total_pages": 4, "per_page": 5, "total": 18], isLegacy: true)
        #expect(old.currentPage == 2 && old.totalPages == 4 && old.itemsPerPage == 5 && old.totalItems == 18)
    }

    // NB-47
    @Test
    func aPageHasItsNumbers() {
        let old: [String: Any] = ["page": 2, "total_pages": 4, "per_page": 5, "total": 18]
        #expect(page(old, isLegacy: true).content as NSDictionary == old as NSDictionary)
        let new: [String: Any] = ["limit": 5, "prev": "/p?limit=5"]
        #expect(page(new).content as NSDictionary == new as NSDictionary)
    }

    // NB-48
    @Test
    func aPageIsRequestedByLinkOrByNumber() async throws {
        var page = page(["next": "/api/v1/people?__token=n&limit=5", "prev": "/api/v1/people?__token=p&limit=5"])
        #expect(try await query(page) == "__token=n&access_token=k&limit=5&token_paginator=1")
        page.direction = .previous
        #expect(try await query(page) == "__token=p&access_token=k&limit=5&token_paginator=1")
        #expect(try await query(NationPagination()) == "access_token=k&limit=10&token_paginator=1")
        #expect(try await query(page, legacy: true) == "access_token=k&page=1&per_page=5")
    }

    // NB-49
    @Test
    func theClientChoosesBetweenNumbersAndLinks() async throws {
        let nation = NationBuilder(StubTransport(), apiKey: "k")
        var old = NationPagination()
        old.isLegacy = true
        #expect(try await nation.sent(.people(), page: old).url.query == "access_token=k&limit=10&token_paginator=1")
        nation.usesTokenPagination = false
        #expect(try await nation.sent(.people(), page: old).url.query == "access_token=k&limit=10")
        nation.usesLegacyPagination = true
        nation.usesTokenPagination = true
        #expect(try await nation.sent(.people()).url.query == "access_token=k")
    }

    // NB-17, NB-49
    @Test(arguments: [true, false])
    func onlyListsAreRequestedWithLinks(isList: Bool) async throws {
        let nation = NationBuilder(StubTransport(), apiKey: "k")
        if isList {
            #expect(try await nation.sent(.people()).url.query == "access_token=k")
            #expect(try await nation.sent(.taggings(of: 5)).url.query == "access_token=k")
        } else {
            #expect(try await nation.sent(.person(5)).url.query == "access_token=k")
            #expect(try await nation.sent(.peopleCount()).url.query == "access_token=k")
        }
    }

    /// Without a page, the server sends the first one; continuing from it loses no person.
    @Test(arguments: Engine.allCases)
    func aListWithoutAPageContinuesFromTheFirst(engine: Engine) async throws {
        try await withNation { _, url in
            let nation = NationBuilder(slug: "abe", apiKey: "demo-key", baseURL: url, configure: engine.select)
            var response = try await nation.call(.people())
            #expect(response.pagination?.isLegacy == true && response.pagination?.isLastPage == false)
            var people = response.value ?? []
            while let page = response.pagination, !page.isLastPage {
                response = try await nation.call(.people(), page: page)
                let isFirst = response.pagination?.currentPage == 1
                people = isFirst ? response.value ?? [] : people + (response.value ?? [])
            }
            #expect(people.map(\.id) == (1...12).map { UInt($0) })
        }
    }

    // NB-50
    @Test(arguments: [
        (#"{"results": [], "next": null}"#, true), (#"{"results": [], "total_pages": 1}"#, true),
        (#"{"results": []}"#, false),
    ])
    func onlyAResponseWithPageFieldsIsAPage(content: String, isPage: Bool) async throws {
        let response = try await NationBuilder(StubTransport().on("*", .json(content))).call(.people())
        #expect((response.pagination != nil) == isPage)
    }

    // NB-51, NB-53
    @Test
    func numberSizeAndDirectionAreKept() async throws {
        let content = #"{"results": [], "next": "/p?__token=n&limit=5", "prev": "/p?__token=p&limit=5"}"#
        let nation = NationBuilder(StubTransport().on("*", .json(content)))
        var page: NationPagination? = NationPagination()
        page?.itemsPerPage = 5
        page?.availableItems = 99
        var numbers: [Int] = []
        for step in 1...6 {
            let next = try #require(try await nation.call(.people(), page: page).pagination)
            #expect(next.itemsPerPage == 5 && next.availableItems == 99)
            numbers.append(next.currentPage)
            page = next
            if step >= 3 { page?.direction = .previous }
        }
        #expect(numbers == [1, 2, 3, 2, 1, 1])
    }

    // NB-52
    @Test
    func countingWorksInBothDirectionsAndNotBelowOne() {
        var page = NationPagination()
        page.updateCurrentPage()
        #expect(page.currentPage == 2)
        page.direction = .previous
        page.updateCurrentPage()
        page.updateCurrentPage()
        #expect(page.currentPage == 1)
        page.direction = .next
        page.isLegacy = true
        page.updateCurrentPage()
        #expect(page.currentPage == 1)
    }

    // NB-54
    @Test
    func theLastPageHasNoNext() {
        #expect(page(["next": NSNull()]).isLastPage && !page(["next": "/p"]).isLastPage)
        #expect(page(["page": 4, "total_pages": 4], isLegacy: true).isLastPage)
        #expect(!page(["page": 3, "total_pages": 4], isLegacy: true).isLastPage)
    }

    // NB-55
    @Test(arguments: [(0, 0), (1, 0), (2, 10), (3, 20)])
    func aPageBeginsAfterTheOnesBefore(number: Int, index: Int) {
        #expect(NationPagination().indexOfFirstItem(atPage: number) == index)
    }

    // NB-56
    @Test(arguments: [(2, 15, 10, 2, 5), (2, 15, 10, 1, 10), (2, 20, 10, 2, 10), (1, 15, 0, 1, 0)])
    func theCurrentPageMayHaveFewerItems(current: Int, available: Int, size: Int, number: Int, count: Int) {
        var page = NationPagination()
        page.currentPage = current
        page.availableItems = available
        page.itemsPerPage = size
        #expect(page.numberOfItems(atPage: number) == count)
    }

    // NB-57
    @Test(arguments: Engine.allCases, [false, true])
    func pagesAreFollowedToTheLast(engine: Engine, isLegacy: Bool) async throws {
        try await withNation { _, url in
            let nation = NationBuilder(slug: "abe", apiKey: "demo-key", baseURL: url, configure: engine.select)
            nation.usesLegacyPagination = isLegacy
            var page: NationPagination? = NationPagination()
            page?.itemsPerPage = 5
            var people: [Person] = []
            var numbers: [Int] = []
            while let asked = page {
                let response = try await nation.call(.people(), page: asked)
                let next = try #require(response.pagination)
                people = next.currentPage > 1 ? people + (response.value ?? []) : response.value ?? []
                numbers.append(next.currentPage)
                page = next.isLastPage ? nil : next
                if isLegacy { page?.currentPage += 1 }
            }
            #expect(people.map(\.id) == (1...12).map { UInt($0) } && numbers == [1, 2, 3])
        }
    }

    // NB-57, with the library's own pagination.
    @Test(arguments: Engine.allCases, [false, true])
    func pagesAreASequence(engine: Engine, isLegacy: Bool) async throws {
        try await withNation { server, url in
            let nation = NationBuilder(slug: "abe", apiKey: "demo-key", baseURL: url, configure: engine.select)
            nation.usesLegacyPagination = isLegacy
            var counts: [Int] = []
            for try await page in nation.pages(.people()) { counts.append(page.items.count) }
            #expect(counts == [10, 2])
            #expect(await server.log.lines.count == 2)
        }
    }
}
