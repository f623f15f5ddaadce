import Foundation
import SimpleNetworking
import SimpleNetworkingPagination
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

/// Numbers of a server or a request at the ends of their range.
@Suite(.timeLimit(.minutes(5)))
struct PageNumberTests {
    static let styles: [String: PaginationStyle] = [
        "numbers": .numbers(), "numbers from the first": .numbers(first: .min),
        "numbers from the last": .numbers(first: .max), "offset": .offset(), "links": .links(),
        "Link": .linkHeader(total: "X-Total"), "cursor": .cursor(at: "page"),
    ]
    static let fields = ["total_pages", "total", "per_page", "page", "limit", "offset"]

    @Test(arguments: styles.keys.sorted(), ExtremeNumbers.texts)
    func extremeNumbersOfAServerKeepThePage(name: String, number: String) async throws {
        let style = try #require(Self.styles[name])
        for field in Self.fields {
            let others = field == "total" ? #""per_page":1,"# : field == "per_page" ? #""total":5,"# : ""
            let isNumber = Double(number)?.isFinite == true
            for text in ["\"\(number)\""] + (isNumber ? [number] : []) {
                let content = #"{"items":[1],\#(others)"\#(field)":\#(text),"next":"/items?\#(field)=\#(number)"}"#
                let sizes = try await walk(content, total: number, style, query: [:])
                #expect(sizes.first == 1 && (1...3).contains(sizes.count), "\(field): \(text)")
            }
        }
    }

    @Test(arguments: styles.keys.sorted(), ExtremeNumbers.texts)
    func extremeNumbersOfARequestKeepThePage(name: String, number: String) async throws {
        let style = try #require(Self.styles[name])
        for field in Self.fields {
            let query: Query = [(field, number), ("offset", field == "limit" ? 5 : nil)]
            #expect(try await walk(#"{"items":[1]}"#, total: "1", style, query: query).first == 1, "\(field)")
        }
    }

    @Test(arguments: [
        ("-9223372036854775808", 1), ("-1", 1), ("0", 1), ("1", 1), ("2", 2), ("9223372036854775807", 3),
        ("99999999999999999999", 3), ("1e308", 3),
    ])
    func theNumberOfPagesIsTakenForWhatItIs(number: String, pages: Int) async throws {
        let content = #"{"items":[1],"total_pages":\#(number)}"#
        #expect(try await walk(content, total: "1", .numbers(), query: [:]).count == pages)
        let counted = #"{"items":[1],"total":\#(number),"per_page":1}"#
        #expect(try await walk(counted, total: "1", .numbers(), query: [:]).count == pages)
    }

    @Test
    func negativeLimitRequestsNoPage() async throws {
        for count in [Int.min, -1, 0] {
            #expect(try await walk("[]", total: "1", .numbers(), query: [:], limit: .items(count)).isEmpty)
        }
    }

    /// Goes through at most three pages that are all alike, and gives how many items each has.
    private func walk(
        _ content: String,
        total: String,
        _ style: PaginationStyle,
        query: Query,
        limit: PaginationStyle.Limit = .pages(3)
    ) async throws -> [Int] {
        let server = StubTransport().on("*", .json(content, headers: ["X-Total": total]))
        let client = SimpleNetworking(over: server)
        let request = SimpleNetworking.get("/items", query: query)
        var sizes: [Int] = []
        do {
            for try await page in client.pages(of: Int.self, at: "items", for: request, style: style, limit: limit) {
                sizes.append(page.items.count)
            }
        } catch let error as SimpleNetworkingError {
            guard case .failed(is PaginationFailure, _, _) = error else { throw error }
        }
        return sizes
    }
}
