import ClientTestSupport
import DemoServer
import Foundation
import NationBuilderClient
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// NB-25 to NB-29: the delegate decides about responses.
@Suite(.timeLimit(.minutes(1)))
struct HookTests {
    // NB-25, NB-28, NB-29
    @Test(arguments: [
        (StubResponse.json(#"{"person": {"id": 5}}"#), ["response", "parsed", "completion"]),
        (.json("{}"), ["response", "parsed", "completion"]),
        (.status(204), ["response", "completion"]),
        (.text("<html>"), ["response", "completion"]),
        (.json(#"{"code": "not_found"}"#, status: 404), ["response", "http", "completion"]),
        (.json(#"{"code": "busy"}"#), ["response", "service", "completion"]),
        (.failure(NetworkFailure(.connectionLost)), ["response none", "transport", "completion"]),
    ])
    func delegateMethodsRunInOrderBeforeTheCompletion(response: StubResponse, order: [String]) async {
        let nation = NationBuilder(StubTransport().on("*", response))
        let observer = Observer()
        nation.delegate = observer
        await value { done in
            nation.call(.person(5)) { _ in
                observer.lines.add("completion")
                done(())
            }
        }
        #expect(Array(observer.lines.all.dropFirst(2)) == order)
    }

    // NB-26
    @Test(arguments: [
        ("response", StubResponse.json(#"{"person": {"id": 5}}"#)), ("response", .status(204)),
        ("response", .json("{}", status: 500)), ("http", .json("{}", status: 500)),
        ("service", .json(#"{"code": "busy"}"#)), ("response none", .failure(NetworkFailure(.connectionLost))),
        ("transport", .failure(NetworkFailure(.connectionLost))),
    ])
    func falseStopsTheCall(hook: String, response: StubResponse) async {
        let nation = NationBuilder(StubTransport().on("*", response))
        let observer = Observer(refusing: hook)
        nation.delegate = observer
        let result = await value { done in
            nation.call(.person(5)) { _ in Issue.record("the call was stopped") }.on(completion: { done($0) })
        }
        guard case .failure(.stopped) = result else { Issue.record("\(result)"); return }
        #expect(observer.lines.all.last == hook)
        await #expect(throws: SimpleNetworkingError.self) { try await nation.call(.person(5)) }
    }

    // NB-26
    @Test
    func aCallWithoutADelegateSucceeds() async throws {
        let nation = NationBuilder(StubTransport().on("*", .json(#"{"person": {"id": 5}}"#)))
        #expect(try await nation.call(.person(5)).value?.id == 5)
    }

    // NB-27, NB-91
    @Test(arguments: Engine.allCases)
    func aRejectedKeySignsTheAccountOut(engine: Engine) async throws {
        try await withNation { server, url in
            let authenticator = NationAuthenticator(
                baseURL: url,
                clientID: "c",
                redirectScheme: "app",
                store: .memory()
            )
            let nation = NationBuilder(slug: "abe", authenticator: authenticator, configure: engine.select)
            let credential = try await authenticator.authenticate { try await browse($0) }
            let (signOuts, signedOut) = AsyncStream<Void>.makeStream()
            let account = NationAccount(nation, authenticator) { _ in signedOut.finish() }
            try await account.begin(with: credential)
            let revoke = SimpleNetworking(baseURL: url)
            _ = try await revoke.send(SimpleNetworking.post("revoke"))
            let result = await value { done in
                nation.call(.people()) { _ in Issue.record("the call was stopped") }.on(completion: { done($0) })
            }
            guard case .failure(.stopped) = result else { Issue.record("\(result)"); return }
            for await _ in signOuts {}
            #expect(nation.apiKey == nil)
            #expect(await authenticator.credential == nil)
            let next = await #expect(throws: SimpleNetworkingError.self) { try await nation.call(.people()) }
            #expect(next?.nation?.httpStatus == 401)
        }
    }
}

extension HookTests {
    // NB-91
    @Test
    func aRejectedKeyOfASignedOutAccountIsAnError() async throws {
        let url = try #require(URL(string: "https://abe.nationbuilder.com"))
        let authenticator = NationAuthenticator(baseURL: url, clientID: "c", store: .memory(), logger: .silent)
        let nation = NationBuilder(StubTransport().on("*", .status(401)))
        let account = NationAccount(nation, authenticator) { _ in Issue.record("no account was signed in") }
        let error = await #expect(throws: SimpleNetworkingError.self) { try await nation.call(.people()) }
        #expect(error?.nation?.httpStatus == 401 && account.user == nil)
    }
}

/// Follows redirects from a page as a browser does, and returns the app's URL that they lead to.
func browse(_ page: URL) async throws -> URL? {
    let client = SimpleNetworking(baseURL: page) { $0.redirectPolicy = .never }
    var page = page
    while page.scheme == "http" {
        let request = SimpleNetworking.get(page.absoluteString).acceptable(statuses: [302])
        let response = try await client.send(request)
        guard let next = response.headers["Location"].flatMap({ URL(string: $0) }) else { return nil }
        page = next
    }
    return page
}
