import Foundation
import SimpleNetworking
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

/// Runs the samples of the article “Errors”.
@Suite(.timeLimit(.minutes(5)))
struct ErrorsSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    private struct Problem: Decodable { var title: String }

    private func load() async throws {
        let api = client()
        do {
            print(try await api.send(Request<User>.get("/user")).value.name)
        } catch SimpleNetworkingError.networkingError(let failure, _) where failure.kind == .offline {
            print("You are offline.")
        } catch let error as SimpleNetworkingError where error.httpStatus == 404 {
            print("There is no such user.")
        } catch let error as SimpleNetworkingError {
            print(error.content(as: Problem.self)?.title ?? error.description)
        }
    }

    @Test(arguments: [
        (StubResponse.json(#"{"id": 1, "name": "Ada"}"#), "Ada"),
        (.failure(NetworkFailure(.offline)), "You are offline."),
        (.status(404), "There is no such user."),
        (.json(#"{"title": "too long"}"#, status: 422), "too long"),
        (
            .status(500),
            "GET https://api.example.com/user failed on the server with status 500. Trying again later may help."
        ),
    ])
    func catchingErrorsBranchesOnTheCase(response: StubResponse, line: String) async throws {
        server.on("/user", response)
        try await load()
        #expect(printed.elements == [line])
    }

    /// One error for each case, and the article's text for it.
    private static let errors: [SimpleNetworkingError] = {
        let head = RequestHead(url: URL(string: "https://api.example.com/user") ?? URL(fileURLWithPath: "/"))
        func response(_ status: Int) -> SimpleResponse { SimpleResponse(request: head, httpStatus: status) }
        struct Key: CodingKey {
            let stringValue = "id"
            let intValue: Int? = nil
            init() {}
            init?(stringValue: String) {}
            init?(intValue: Int) { nil }
        }
        let mismatch = DecodingError.typeMismatch(
            Int.self,
            .init(codingPath: [Key()], debugDescription: "Expected an Int")
        )
        struct Closed: Error, CustomStringConvertible { let description = "closed" }
        return [
            .invalidURL("http://", reason: "it has no host"),
            .invalidRequest(reason: "a GET request has content", head),
            .notCached(head),
            .recursion(limit: 3, head),
            .networkingError(NetworkFailure(.cannotFindHost), head),
            .timedOut(.attempt(60), head),
            .tooLarge(limit: 1024, head),
            .clientError(response(404)),
            .serverError(response(503)),
            .invalidResponse(response(304)),
            .redirect(reason: "it leads from https to http", response(302)),
            .decoding(.init(type: User.self, underlying: mismatch), response(200)),
            .authentication(
                AuthenticationFailure(reason: "there is no valid credential", request: head)
            ),
            .cancelled(head),
            .stopped(head, response(404)),
            .abandoned(head, response(401)),
            .failed(Closed(), head, nil),
        ]
    }()

    @Test
    func theArticleHasTheTextOfEveryCase() throws {
        let article = try Article("Errors").text
        for error in Self.errors { #expect(article.contains("| \(error.description) |"), "\(error)") }
        let names = Self.errors.compactMap { Mirror(reflecting: $0).children.first?.label }
        #expect(Set(names).count == 17)
        for name in names { #expect(article.contains("| `\(name)` |"), "\(name)") }
    }
}
