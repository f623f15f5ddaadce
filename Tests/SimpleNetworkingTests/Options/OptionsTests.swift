import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// The options that other modules add.
@Suite
struct OptionsTests {
    private enum First: OptionKey { static let defaultValue = 1 }
    private enum Second: OptionKey { static let defaultValue: String? = "none" }

    @Test
    func anOptionThatIsNotSetHasItsDefaultValue() {
        let options = Options()
        #expect(options[First.self] == 1)
        #expect(options[Second.self] == "none")
        #expect(options.isEmpty)
    }

    @Test
    func nilIsAValueThatIsSet() {
        var options = Options()
        options[Second.self] = nil
        #expect(options[Second.self] == nil)
        #expect(!options.isEmpty)
    }

    @Test
    func theOptionsOfARequestReplaceThoseOfItsClient() {
        var (client, request) = (Options(), Options())
        client[First.self] = 2
        client[Second.self] = "client"
        request[Second.self] = nil
        let merged = client.replaced(by: request)
        #expect(merged[First.self] == 2)
        #expect(merged[Second.self] == nil)
    }

    @Test
    func optionsAreShownByTheirTypesOnly() {
        var configuration = SimpleNetworking.Configuration()
        configuration[Second.self] = "s3cret"
        var text = ""
        dump(configuration, to: &text)
        #expect(text.contains("Second: Optional<String>"))
        #expect(!text.contains("s3cret"))
    }

    @Test
    func handlersReadTheOptionsOfRequestAndClient() async throws {
        let api = SimpleNetworking(over: StubTransport().on("*", .status(404))) { $0[First.self] = 2 }
        let seen = Recorder<String>()
        let request = SimpleNetworking.get("/x").option(Second.self, "own")
        #expect(request[First.self] == 1)
        await request.on(
            httpStatus: 404,
            { request, _ in
                seen.add("\(request[First.self]) \(request[Second.self] ?? "nil")")
                return true
            }
        ).execute(on: api).ended()
        #expect(seen.elements == ["2 own"])
    }

    @Test
    func monitorsReadTheOptionsOfRequestAndClient() async throws {
        struct Monitor: EventMonitor {
            let seen = Recorder<String>()
            func observe(_ event: RequestEvent, of request: ObservedRequest) {
                seen.add("\(request[First.self]) \(request[Second.self] ?? "nil")")
            }
        }
        let monitor = Monitor()
        let api = SimpleNetworking(over: StubTransport().on("*", .json("{}"))) {
            $0[First.self] = 2
            $0.eventMonitors = [monitor]
        }
        _ = try await api.send(SimpleNetworking.get("/x").option(Second.self, "own"))
        #expect(Set(monitor.seen.elements) == ["2 own"])
    }
}
