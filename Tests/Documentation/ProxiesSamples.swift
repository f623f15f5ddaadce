import Foundation
import SimpleNetworking
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

/// Runs the samples of the article “Proxies and environment variables”.
@Suite(.timeLimit(.minutes(5)))
struct ProxiesSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    #if os(Linux)
        @Test
        func aProxyIsASettingOfTheEngine() throws {
            let password = "s3cret"
            let proxyURL = try #require(URL(string: "http://proxy.example.com:8080"))

            var settings = CurlConfiguration()
            settings.proxy = CurlProxy(
                proxyURL,
                exceptions: ["localhost", "internal.example.com"],
                credentials: (user: "ada", password: password)
            )
            let api = SimpleNetworking(host: "api.example.com") {
                $0.transport = CurlTransport(configuration: settings)
            }

            settings.proxy = CurlProxy.none
            let direct = SimpleNetworking(host: "api.example.com") {
                $0.transport = CurlTransport(configuration: settings)
            }

            #expect(api.configuration.transport is CurlTransport && direct.configuration.transport is CurlTransport)
        }

        @Test
        func requestsPassTheProxy() async throws {
            let proxy = try RawServer { _ in .response(body: "by proxy") }
            var settings = CurlConfiguration()
            settings.proxy = CurlProxy(proxy.url(""))
            let url = try #require(URL(string: "http://host.invalid"))
            let api = SimpleNetworking(baseURL: url) { $0.transport = CurlTransport(configuration: settings) }
            #expect(try await api.send(SimpleNetworking.get("/x")).text == "by proxy")
            #expect(proxy.requests.first?.target == "http://host.invalid/x")
        }
    #endif
}
