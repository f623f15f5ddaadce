import Adapters
import Foundation
import HTTPTypes
import InMemoryLogging
import InMemoryTracing
import Logging
import Metrics
import MetricsTestKit
import OpenAPIRuntime
import SimpleNetworking
import SimpleNetworkingTesting
import Testing
import Tracing

/// Runs the samples of the article “Adapters”, which a test of the package compares with this file.
@Suite(.timeLimit(.minutes(1)))
struct AdapterSamples {
    private typealias Configure = (inout API.Configuration) -> Void
    private typealias API = SimpleNetworking

    private let server = StubTransport().on("/user", .json(#"{"name": "Ada"}"#)).on("/users/{id}", .json("{}"))
    private let printed = Recorder<String>()

    /// What the samples call.
    private func print(_ item: Any) { printed.add("\(item)") }

    /// The client of the samples.
    private func client(_ host: String, _ configure: Configure = { _ in }) -> API {
        API(host: host) { configuration in
            (configuration.transport, configuration.logger) = (server, .silent)
            configure(&configuration)
        }
    }

    @Test
    func messagesGoToALogger() async throws {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String, _ configure: Configure) -> API { client(host, configure) }
        let handler = InMemoryLogHandler()
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func Logger(label: String) -> Logging.Logger { Logging.Logger(label: label) { _ in handler } }

        let logger = Logger(label: "api")
        let api = SimpleNetworking(host: "api.example.com") { $0.logger = RequestLogger(logger) }

        await api.get("/user").ended()
        #expect(handler.entries.map(\.level) == [.info, .info, .info])
    }

    @Test
    func requestsAreMeasured() async throws {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String, _ configure: Configure) -> API { client(host, configure) }
        let metrics = TestMetrics()
        let measured = withMetricsFactory(metrics) {
            let api = SimpleNetworking(host: "api.example.com") { $0.eventMonitors = [RequestMetrics()] }
            return api
        }

        _ = try await measured.send(API.get("/user"))
        #expect(metrics.timers(label: "http.client.request.duration").count == 1)
    }

    private func traced() -> API {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String, _ configure: Configure) -> API { client(host, configure) }

        let api = SimpleNetworking(host: "api.example.com") { $0.traceRequests() }
        return api
    }

    @Test
    func requestsAreTraced() async throws {
        let (tracer, api) = (InMemoryTracer(), traced())
        try await withTracer(tracer) {
            let request = SimpleNetworking.get("/users/7").tag("url.template", "/users/{id}")
            let profile = try await withSpan("show the profile") { _ in try await api.send(request) }

            #expect(profile.httpStatus == 200)
        }
        #expect(tracer.finishedSpans.map(\.operationName) == ["GET /users/{id}", "show the profile"])
    }

    @Test
    func aRequestOfHTTPTypesIsSent() async throws {
        let api = client("api.example.com")

        var request = HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: "/user?id=7")
        request.headerFields[.accept] = "application/json"
        let (response, content) = try await api.send(request)
        print("\(response.status.code), \(content.count) bytes")

        #expect(printed.elements == ["200, 15 bytes"])
        #expect(server.requests.first?.headers["Accept"] == "application/json")
    }

    /// What swift-openapi-generator makes.
    private struct Client {
        let serverURL: URL
        let transport: any ClientTransport

        func showUser() async throws -> Int {
            let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/user")
            return try await transport.send(request, body: nil, baseURL: serverURL, operationID: "showUser").0.status
                .code
        }
    }

    @Test
    func aGeneratedClientIsGivenTheTransport() async throws {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String, _ configure: Configure) -> API { self.client(host, configure) }

        let api = SimpleNetworking(host: "api.example.com") { $0.retryPolicy = RetryPolicy(attempts: 3) }
        let client = Client(serverURL: api.baseURL, transport: OpenAPITransport(client: api))

        #expect(try await client.showUser() == 200)
        #expect(server.requests.map(\.url.absoluteString) == ["https://api.example.com/user"])
    }
}
