import Foundation
import SimpleNetworking
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
}
