import ClientTestSupport
import Foundation
import NationBuilderClient
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// NB-94 to NB-98: what is logged, by the library's own levels and names.
@Suite(.timeLimit(.minutes(1)))
struct LogTests {
    // NB-94, NB-95
    @Test
    func onlyWarningsAreLoggedByDefault() {
        #expect(LogLevel.allCases == [.none, .error, .warning, .info, .debug])
        let nation = NationBuilder(slug: "abe", apiKey: "k")
        #expect(nation.logLevel == .warning)
        nation.logLevel = .debug
        #expect(nation.logLevel == .debug)
    }

    // NB-96, NB-98
    @Test(arguments: [LogLevel.info, .debug], [false, true])
    func requestsAndResponsesAreLoggedWithoutTheKey(level: LogLevel, isHeader: Bool) async {
        let lines = Lines()
        let server = StubTransport().on("*", .json(#"{"person": {"id": 5}, "access_token": "s3cret"}"#))
        let nation = NationBuilder(slug: "abe", apiKey: "demo-key") {
            $0.transport = server
            $0.logger = RequestLogger(level: level) { lines.add("\($0) \($1)") }
        }
        nation.sendsKeyAsHeader = isHeader
        let refused = Observer(refusing: "response")
        for delegate in [nil, refused] {
            nation.delegate = delegate
            _ = await value { done in nation.call(.person(5)) { _ in }.on(completion: { done($0) }) }
        }
        let text = lines.all.joined(separator: "\n")
        #expect(text.components(separatedBy: "attempt 1: GET https://abe.nationbuilder.com/api/v1/people/5").count == 3)
        #expect(text.components(separatedBy: "status 200, ").count >= 3)
        #expect(!text.contains("demo-key") && !text.contains("s3cret"))
    }
}
