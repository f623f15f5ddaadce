import DemoServer
import Foundation
import NationBuilderClient
import SimpleNetworking
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
        return try await nation.asked(.people(), page: page).url.query
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
    func linksAreReadAsTheyAreAndNullIsNone() {
        let next = "/api/v1/people?__nonce=1&__token=t&limit=5"
        let middle = page(["limit": 7, "next": next, "prev": NSNull()])
        #expect(middle.nextPage == next && middle.previousPage == nil && middle.itemsPerPage == 7)
        #expect(page(["next": next]).itemsPerPage == 5)
        #expect(page(["next": NSNull()]).itemsPerPage == 10)
    }

    // NB-45, NB-46
    @Test
    func numbersAreReadInTheOldWay() {
        let old = page(["page": 2, "total_pages": 4, "per_page": 5, "total": 18], isLegacy: true)
        #expect(old.currentPage == 2 && old.totalPages == 4 && old.itemsPerPage == 5 && old.totalItems == 18)
    }

    // NB-47
    @Test
    func aPageSaysWhatItRead() {
        let old: [String: Any] = ["page": 2, "total_pages": 4, "per_page": 5, "total": 18]
        #expect(page(old, isLegacy: true).content as NSDictionary == old as NSDictionary)
        let new: [String: Any] = ["limit": 5, "prev": "/p?limit=5"]
        #expect(page(new).content as NSDictionary == new as NSDictionary)
    }

    // NB-48
    @Test
    func aPageIsAskedForByItsLinkOrByItsNumber() async throws {
        var page = page(["next": "/api/v1/people?__token=n&limit=5", "prev": "/api/v1/people?__token=p&limit=5"])
        #expect(try await query(page) == "__token=n&access_token=k&limit=5&token_paginator=1")
        page.direction = .previous
        #expect(try await query(page) == "__token=p&access_token=k&limit=5&token_paginator=1")
        #expect(try await query(NationPagination()) == "access_token=k&limit=10&token_paginator=1")
        #expect(try await query(page, legacy: true) == "access_token=k&page=1&per_page=5")
    }

    // NB-49
    @Test
    func theClientSaysWhichWayAndWhetherLinksAreAskedFor() async throws {
        let nation = NationBuilder(StubTransport(), apiKey: "k")
        var old = NationPagination()
        old.isLegacy = true
        #expect(try await nation.asked(.people(), page: old).url.query == "access_token=k&limit=10&token_paginator=1")
        nation.usesTokenPagination = false
        #expect(try await nation.asked(.people(), page: old).url.query == "access_token=k&limit=10")
        nation.usesLegacyPagination = true
        nation.usesTokenPagination = true
        #expect(try await nation.asked(.people()).url.query == "access_token=k")
    }

    // NB-17, NB-49
    @Test(arguments: [true, false])
    func onlyPagesAreAskedForWithLinks(isList: Bool) async throws {
        let nation = NationBuilder(StubTransport(), apiKey: "k")
        if isList {
            #expect(try await nation.asked(.people()).url.query == "access_token=k")
            #expect(try await nation.asked(.taggings(of: 5)).url.query == "access_token=k")
        } else {
            #expect(try await nation.asked(.person(5)).url.query == "access_token=k")
            #expect(try await nation.asked(.peopleCount()).url.query == "access_token=k")
        }
    }

    /// Whoever asks for no page gets the first one as the server likes, and goes on from there without losing anybody.
    @Test(arguments: Engine.allCases)
    func whoeverAsksForNoPageCanGoOnFromIt(engine: Engine) async throws {
        try await withServer { _, url in
            let nation = NationBuilder(slug: "abe", apiKey: "demo-key", baseURL: url, configure: engine.select)
            var answer = try await nation.call(.people())
            #expect(answer.pagination?.isLegacy == true && answer.pagination?.isLastPage == false)
            var people = answer.value ?? []
            while let page = answer.pagination, !page.isLastPage {
                answer = try await nation.call(.people(), page: page)
                let isFirst = answer.pagination?.currentPage == 1
                people = isFirst ? answer.value ?? [] : people + (answer.value ?? [])
            }
            #expect(people.map(\.id) == (1...12).map { UInt($0) })
        }
    }

    // NB-50
    @Test(arguments: [
        (#"{"results": [], "next": null}"#, true), (#"{"results": [], "total_pages": 1}"#, true),
        (#"{"results": []}"#, false),
    ])
    func onlyAnAnswerThatTellsOfPagesIsOne(content: String, isPage: Bool) async throws {
        let answer = try await NationBuilder(StubTransport().on("*", .json(content))).call(.people())
        #expect((answer.pagination != nil) == isPage)
    }

    // NB-51, NB-53
    @Test
    func theNumberTheSizeAndTheDirectionAreCarriedOver() async throws {
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
    func countingGoesOnAndBackAndNotBelowOne() {
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
    func oneGoesFromPageToPageToTheLast(engine: Engine, isLegacy: Bool) async throws {
        try await withServer { _, url in
            let nation = NationBuilder(slug: "abe", apiKey: "demo-key", baseURL: url, configure: engine.select)
            nation.usesLegacyPagination = isLegacy
            var page: NationPagination? = NationPagination()
            page?.itemsPerPage = 5
            var people: [Person] = []
            var numbers: [Int] = []
            while let asked = page {
                let answer = try await nation.call(.people(), page: asked)
                let next = try #require(answer.pagination)
                people = next.currentPage > 1 ? people + (answer.value ?? []) : answer.value ?? []
                numbers.append(next.currentPage)
                page = next.isLastPage ? nil : next
                if isLegacy { page?.currentPage += 1 }
            }
            #expect(people.map(\.id) == (1...12).map { UInt($0) } && numbers == [1, 2, 3])
        }
    }

    // NB-57, with the library's own way from page to page.
    @Test(arguments: Engine.allCases, [false, true])
    func pagesComeByThemselves(engine: Engine, isLegacy: Bool) async throws {
        try await withServer { server, url in
            let nation = NationBuilder(slug: "abe", apiKey: "demo-key", baseURL: url, configure: engine.select)
            nation.usesLegacyPagination = isLegacy
            var counts: [Int] = []
            for try await page in nation.pages(.people()) { counts.append(page.items.count) }
            #expect(counts == [10, 2])
            #expect(await server.log.lines.count == 2)
        }
    }
}
