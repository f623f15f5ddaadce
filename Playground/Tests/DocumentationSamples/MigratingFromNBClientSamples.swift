import Foundation
import SimpleNetworking
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import Testing

class Nation: SimpleNetworking, @unchecked Sendable {
    init(slug: String, token: Secret, configure: (inout Configuration) -> Void = { _ in }) {
        super.init(host: "\(slug).nationbuilder.com/api/v1") {
            $0.timeout = 90
            $0.authenticator = BearerAuthenticator(token: token)
            configure(&$0)
        }
    }
}

/// Runs the samples of the article “Migrating from NBClient”.
@Suite(.timeLimit(.minutes(5)))
struct MigratingFromNBClientSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    @Test
    func peopleAreFetched() async throws {
        let nation = Nation(slug: "sample", token: Secret("t")) { $0.transport = server }
        server.on(
            "/api/v1/people",
            .json(#"{"results": [{"id": 7, "name": "Ada"}], "next": "/api/v1/people?__nonce=n&__token=t"}"#),
            times: 1
        )
        .on("/api/v1/people", .json(#"{"results": [{"id": 8, "name": "Bob"}], "next": null}"#))

        nation.get("/people", query: ["limit": 100]) { request in
            request
                .on(page: .links(), of: User.self, at: "results") { page in
                    print(page.items.map(\.name))
                    return page.hasNext
                }
                .on(error: { error in print(error) })
        }

        let printed = printed
        try await eventually { printed.elements == [#"["Ada"]"#, #"["Bob"]"#] }
        #expect(server.requests.allSatisfy { $0.headers["Authorization"] == "Bearer t" })
    }
}
