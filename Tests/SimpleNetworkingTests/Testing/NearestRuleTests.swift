import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Which rule a failure compares a request with, and how fast requests are found.
@Suite(.timeLimit(.minutes(5)))
struct NearestRuleTests {
    private let server = StubTransport()

    private func nearest() async -> String? {
        let api = SimpleNetworking(over: server)
        let request = api.post("/users?page=2") {
            $0.headers(["X-A": "1"]).body(json: ["name": "Ada", "city": "London", "age": 36] as [String: Any])
        }
        guard case .failed(let error, _, _)? = await request.ended().error else { return nil }
        let line = "\(error)".components(separatedBy: "\n").first { $0.hasPrefix("  nearest rule: ") }
        return line.map { String($0.dropFirst("  nearest rule: ".count)) }
    }

    @Test
    func metConditionsBringARuleNearer() async {
        server.on(.put, "/users", .status(201)).on(.put, "/users", where: [.query("page", "2")], .status(202))
        #expect(await nearest() == "PUT /users query page=2")
    }

    @Test
    func unmetConditionsOutweighNoPathAndNoMethod() async {
        let unmet: [StubCondition] = [.query("page", "1"), .header("X-A", "2"), .header("X-B", "3"), .text("x")]
        server.on(.post, "/teams", .status(201)).on(.get, "/users", .status(202))
            .on(.post, "/users", where: unmet, .status(203))
        #expect(await nearest()?.hasPrefix("POST /users ") == true)
    }

    @Test
    func moreMetConditionsAreNearer() async {
        server.on(.post, "/users", where: [.query("page", "1"), .header("X-A", "2")], .status(201))
            .on(.post, "/users", where: [.query("page", "1"), .header("X-A", "1")], .status(202))
        #expect(await nearest() == "POST /users query page=1 header X-A: 1")
    }

    @Test
    func jsonWithFewerDifferencesIsNearer() async {
        server.on(.post, "/users", where: [.json(#"{"name": "Bob", "city": "Paris", "age": 1}"#)], .status(201))
            .on(.post, "/users", where: [.json(#"{"name": "Ada", "city": "Paris", "age": 36}"#)], .status(202))
        #expect(await nearest() == #"POST /users JSON {"age":36,"city":"Paris","name":"Ada"}"#)
    }

    /// Looking at each request took 17 ms with 2,000 of them.
    @Test
    func requestIsFoundAmongManyAtOnce() async throws {
        server.on("**", .status(204)).on("*", .status(204))
        for number in 0..<5_000 {
            let url = try #require(URL(string: "https://api.example.com/users/\(number)"))
            _ = try await server.send(TransportRequest(head: RequestHead(method: .get, url: url)))
        }
        let start = Date()
        for number in 0..<400 { try server.expectRequest(.get, "/users/\(number * 10)") }
        // Some milliseconds; it was 20 seconds.
        #expect(Date().timeIntervalSince(start) < 5)
    }
}
