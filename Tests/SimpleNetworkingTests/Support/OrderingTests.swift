import SimpleNetworkingSupport
import Testing

struct OrderingTests {
    private let words = ["pear", "fig", "apple", "kiwi", "date"]

    @Test
    func namesAreInOrder() { #expect(words.ordered(by: { $0 }) == ["apple", "date", "fig", "kiwi", "pear"]) }

    @Test
    func elementsWithEqualNumbersStayInOrder() {
        #expect(words.ordered(by: { -$0.count }) == ["apple", "pear", "kiwi", "date", "fig"])
    }

    @Test(arguments: [[], ["one"]])
    func fewElementsAreReturnedAsTheyAre(words: [String]) { #expect(words.ordered(by: { $0 }) == words) }
}
