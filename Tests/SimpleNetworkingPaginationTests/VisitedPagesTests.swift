import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingPagination

@Suite
struct VisitedPagesTests {
    @Test
    func aLinkToAPageThatWasReadIsFound() {
        let visited = VisitedPages()
        visited.note(["/1"], number: 1)
        visited.note(["/2", "/2?again"], number: 2)
        #expect(visited.contains("/1", upTo: 2))
        #expect(visited.contains("/2?again", upTo: 2))
        #expect(!visited.contains("/3", upTo: 2))
    }

    @Test
    func aPageThatIsReadAgainDoesNotRepeatItsOwnNextPage() {
        let visited = VisitedPages()
        visited.note(["/1"], number: 1)
        visited.note(["/2"], number: 2)
        // A handler retries the first page, whose link still leads to the second.
        visited.note(["/1"], number: 1)
        #expect(!visited.contains("/2", upTo: 1))
        #expect(visited.contains("/1", upTo: 1))
    }

    @Test
    func aPositionRemembersWithoutACopyUntilTheListBeginsAgain() {
        let first = PageProgress(start: Query())
        var second = first
        second.number = 2
        #expect(second.visited === first.visited)
        #expect((second.restarted as? PageProgress)?.visited !== first.visited)
    }
}
