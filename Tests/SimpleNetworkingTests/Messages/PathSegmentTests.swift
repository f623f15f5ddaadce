import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Values as segments of paths.
@Suite(.timeLimit(.minutes(5)))
struct PathSegmentTests {
    private let server = StubTransport().on("*", .json("{}"))

    private var client: SimpleNetworking {
        SimpleNetworking(over: server)
    }

    @Test(arguments: [
        ("Ada", "Ada"), ("a/b?c#d", "a%2Fb%3Fc%23d"), ("100%", "100%25"), ("%2F", "%252F"), ("é ü", "%C3%A9%20%C3%BC"),
        ("a:b@c+d;e=f&g", "a%3Ab%40c%2Bd%3Be%3Df%26g"), ("-._~", "-._~"), ("", ""),
    ])
    func aValueStaysOneSegment(value: String, encoded: String) async throws {
        #expect("/users/\(segment: value)/notes" == "/users/\(encoded)/notes")
        await client.get("/users/\(segment: value)/notes?a=1").ended()
        let url = try #require(server.requests.first?.url)
        #expect(url.absoluteString == "https://api.example.com/users/\(encoded)/notes?a=1")
    }

    @Test
    func numbersAndIdentifiersAreValuesToo() {
        let id = UUID()
        #expect("/\(segment: 7)/\(segment: id)" == "/7/\(id)")
    }

    @Test(arguments: [".", ".."])
    func dotSegmentIsRefused(dots: String) async {
        let error = await client.delete("/users/\(segment: dots)").ended().error
        guard case .invalidURL? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.requests.isEmpty)
    }
}
