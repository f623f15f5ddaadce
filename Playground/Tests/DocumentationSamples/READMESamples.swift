import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

private typealias Client = SimpleNetworking

/// Runs the samples of the article “SimpleNetworking”.
@Suite(.timeLimit(.minutes(5)))
struct READMESamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    @Test(arguments: [
        (StubResponse.json(#"{"id": 7, "name": "Ada"}"#), "Ada"), (.status(404), "no such user"),
        (
            .status(500),
            "GET https://api.example.com/user?id=7 failed on the server with status 500. Trying again later may help."
        ),
    ])
    func theFirstSamplePrints(response: StubResponse, line: String) async throws {
        // A client with a stub in place of the network.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String) -> Client { client() }
        server.on("/user", response)
        let api = SimpleNetworking(host: "api.example.com")
        await api.get("/user", query: ["id": "7"]) { request in
            request
                .on(httpStatus: 404) { _, _ in
                    print("no such user")
                    return false
                }
                .on(success: User.self) { user in print(user.name) }
                .on(error: { error in print(error) })
        }
        .ended()
        #expect(printed.elements == [line])
    }
}
