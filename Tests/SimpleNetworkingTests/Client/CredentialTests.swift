import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// What must never leave the base URL's origin.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CredentialTests {
    private static let secrets = ["Authorization", "Cookie", "X-Api-Key", "X-Special", "X-Mine"]

    private func client(_ base: RawServer, _ engine: Engine) throws -> SimpleNetworking {
        let client = try engine.client(base) {
            $0.secretHeaders = ["X-Special"]
            $0.sharedHeaders = ["X-Plain"]
        }
        client.headers["Authorization"] = "Bearer s3cret"
        client.headers["Cookie"] = "id=s3cret"
        client.headers["X-Api-Key"] = "s3cret"
        client.headers["X-Special"] = "s3cret"
        client.headers["X-Plain"] = "hello"
        return client
    }

    @Test(arguments: [301, 302, 303, 307, 308], Engine.allCases)
    func noCredentialFollowsARedirectToAnotherOrigin(status: Int, engine: Engine) async throws {
        let other = try RawServer { .echo($0) }
        let server = try RawServer { _ in .redirect(to: other.url("/there").absoluteString, status: status) }
        let request = try client(server, engine).post("/here", body: "content") {
            $0.header("X-Mine", "s3cret", isSecret: true)
        }
        let outcome = try await withinSeconds(120) { await request.ended() }
        #expect(outcome.value?.httpStatus == 200)
        let seen = try #require(other.requests.first)
        #expect(!"\(seen.headerLines)".contains("s3cret"))
        #expect(seen[header: "X-Plain"] == "hello")
        #expect(Self.secrets.allSatisfy { server.requests.first?[header: $0] != nil })
        #expect(request.trace.description.contains("without Authorization"))
    }

    @Test(arguments: [307, 308], Engine.allCases)
    func a307RepeatsMethodAndContent(status: Int, engine: Engine) async throws {
        let server = try RawServer { request in
            request.path == "/here" ? .redirect(to: "/there", status: status) : .mirror(request)
        }
        let request = try client(server, engine).put("/here", body: ["a": 1])
        let outcome = try await withinSeconds(120) { await request.ended() }
        #expect(outcome.value?.text == #"{"a":1}"#)
        #expect(server.requests.map(\.method) == ["PUT", "PUT"])
        #expect(server.requests.last?[header: "Authorization"] == "Bearer s3cret")
        #expect(server.requests.last?[header: "Content-Type"] == "application/json")
    }

    @Test(arguments: Engine.allCases)
    func absoluteURLOfAnotherOriginGetsNoCredential(engine: Engine) async throws {
        let other = try RawServer { .echo($0) }
        let server = try RawServer { .echo($0) }
        let request = try client(server, engine).get(other.url("/x").absoluteString) {
            $0.authenticate(withHeader: "Bearer s3cret")
        }
        await request.ended()
        #expect(!"\(try #require(other.requests.first).headerLines)".contains("s3cret"))
        #expect(request.trace.description.contains("not sent off the base URL's origin: "))
    }

    @Test(arguments: Engine.allCases)
    func aTrustedOriginGetsTheCredentials(engine: Engine) async throws {
        let other = try RawServer { .echo($0) }
        let origin = try #require(Origin(other.url()))
        let transport = try engine.transport()
        let client = SimpleNetworking(baseURL: try #require(URL(string: "https://api.example.com"))) {
            $0.trustedOrigins = [origin]
            $0.transport = transport
        }
        client.headers["Authorization"] = "Bearer s3cret"
        await client.get(other.url("/x").absoluteString).ended()
        #expect(other.requests.first?[header: "Authorization"] == "Bearer s3cret")
    }

    @Test
    func credentialsAmongASessionsHeadersAreNotSentToAnotherOrigin() async throws {
        let other = try RawServer { .echo($0) }
        let server = try RawServer { _ in .redirect(to: other.url("/there").absoluteString) }
        let client = SimpleNetworking(baseURL: server.url()) {
            $0.sessionConfiguration.httpAdditionalHeaders = ["Authorization": "Bearer s3cret", "User-Agent": "x"]
        }
        await client.get("/here").ended()
        #expect(server.requests.first?[header: "Authorization"] == "Bearer s3cret")
        #expect(other.requests.first?[header: "Authorization"] == nil)
        #expect(other.requests.first?[header: "User-Agent"] == "x")
    }

    @Test(arguments: Engine.allCases)
    func noTextShowsASecret(engine: Engine) async throws {
        let server = try RawServer { _ in .response(status: 403) }
        let client = try client(server, engine)
        let request = client.get("/x?access_token=s3cret&page=2")
        let error = try #require(await request.ended().error)
        for text in ["\(client)", "\(request)", "\(error)", error.localizedDescription, "\(request.trace)"] {
            #expect(!text.contains("s3cret"))
        }
        let response = try #require(error.response)
        #expect(response.description.contains("page=2"))
        #expect(!response.description.contains("s3cret"))
    }

    @Test(arguments: ["a:b", "a\nb"])
    func aNameThatBasicCannotCarryEndsWithAnError(user: String) async throws {
        let server = try RawServer { .echo($0) }
        let client = SimpleNetworking(of: server)
        let own = client.get("/x") { $0.authenticateBasic(user: user, password: "p") }
        #expect(name(of: try #require(await own.ended().error)) == "authentication")
        client.authenticate(with: user, password: "p")
        #expect(name(of: try #require(await client.get("/x").ended().error)) == "authentication")
        client.authenticate(with: "ab", password: "p")
        #expect(await client.get("/x").ended().value != nil)
        #expect(server.requests.count == 1)
    }
}
