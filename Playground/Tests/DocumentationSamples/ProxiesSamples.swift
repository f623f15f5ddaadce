import Foundation
import SimpleNetworking
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
            settings.proxy = CurlConfiguration.Proxy(
                proxyURL,
                exceptions: ["localhost", "internal.example.com"],
                credentials: (user: "ada", password: password)
            )
            let api = SimpleNetworking(host: "api.example.com") {
                $0.transport = CurlTransport(configuration: settings)
            }

            settings.proxy = CurlConfiguration.Proxy.none
            let direct = SimpleNetworking(host: "api.example.com") {
                $0.transport = CurlTransport(configuration: settings)
            }

            #expect(api.configuration.transport is CurlTransport && direct.configuration.transport is CurlTransport)
        }
    #endif
}
