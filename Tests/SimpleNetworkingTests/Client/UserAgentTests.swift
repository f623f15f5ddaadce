import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite("User-Agent", .timeLimit(.minutes(5)))
struct UserAgentTests {
    @Test(arguments: Engine.allCases)
    func everyEngineNamesTheProgramAndTheLibrary(engine: Engine) async throws {
        let server = try RawServer { .echo($0) }
        await (try engine.client(server)).get("/").ended()
        let value = try #require(server.requests.first?[header: "User-Agent"])
        #expect(value == UserAgent.standard)
        let form =
            /[!-~]+ SimpleNetworking\/\d+\.\d+\.\d+[-.\w]* \((Linux|(macOS|iOS|tvOS|watchOS|visionOS) \d+\.\d+)\)/
        #expect(value.wholeMatch(of: form) != nil, "\(value)")
        #expect(!value.contains(ProcessInfo.processInfo.hostName))
    }

    @Test(arguments: Engine.allCases)
    func userAgentOfTheRequestWins(engine: Engine) async throws {
        let server = try RawServer { .echo($0) }
        let client = try engine.client(server)
        client.headers["user-agent"] = "client/1"
        await client.get("/").ended()
        await client.get("/") { $0.header("User-Agent", "request/1") }.ended()
        #expect(server.requests.map { $0[header: "User-Agent"] } == ["client/1", "request/1"])
    }

    @Test(arguments: [true, false])
    func userAgentOfTheSessionConfigurationWins(isOwnSession: Bool) async throws {
        let server = try RawServer { .echo($0) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["USER-AGENT": "session/1"]
        let client =
            isOwnSession
            ? SimpleNetworking(baseURL: server.url()) { $0.sessionConfiguration = configuration }
            : SimpleNetworking(baseURL: server.url(), session: URLSession(configuration: configuration))
        await client.get("/").ended()
        #expect(server.requests.first?[header: "User-Agent"] == "session/1")
    }

    @Test(arguments: Engine.allCases)
    func emptyUserAgentSendsNone(engine: Engine) async throws {
        let server = try RawServer { .echo($0) }
        let client = try engine.client(server)
        await client.get("/") { $0.header("User-Agent", nil) }.ended()
        client.headers["User-Agent"] = ""
        await client.get("/").ended()
        #expect(server.requests.count == 2)
        for request in server.requests {
            let value = request[header: "User-Agent"]
            if engine.lacks(.bareRequests) {
                #expect(value?.contains("SimpleNetworking/") == false)
            } else {
                #expect(value == nil)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func userAgentIsSentToOtherOrigins(engine: Engine) async throws {
        let other = try RawServer { .echo($0) }
        let server = try RawServer { _ in .redirect(to: other.url().absoluteString) }
        await (try engine.client(server)).get("/").ended()
        #expect(other.requests.first?[header: "User-Agent"] == UserAgent.standard)
    }

    @Test(
        arguments: [
            (["Shop"], "2.1", "Shop/2.1 "), (["My  Shop é/…"], "2.1 (beta)", "My-Shop/2.1-beta "),
            (["tool"], nil, "tool "),
            ([nil, "買い物", "shop"], "", "shop "), (["", nil], "1", ""), (["a\r\nX: 1"], "1\n", "a-X-1/1 "),
            ([String(repeating: "n", count: 200)], nil, String(repeating: "n", count: 64) + " "),
        ] as [([String?], String?, String)]
    )
    func aProgramsNameIsAProductInASCII(names: [String?], version: String?, product: String) {
        let library = "SimpleNetworking/\(UserAgent.libraryVersion) (macOS 14.5)"
        #expect(UserAgent.text(names: names, version: version, platform: "macOS 14.5") == product + library)
    }

    @Test
    func theVersionIsTheNewestOfTheChangelogOrOneBeforeAnyRelease() throws {
        let changelog = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../CHANGELOG.md"),
            encoding: .utf8
        )
        if let release = changelog.firstMatch(of: /(?m)^## \[(\d[^\]]*)\]/)?.1 {
            #expect(UserAgent.libraryVersion.hasPrefix(release))
        } else {
            #expect(UserAgent.libraryVersion.hasSuffix("-dev"))
        }
    }
}
