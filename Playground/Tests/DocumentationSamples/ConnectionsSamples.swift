import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Runs the samples of the article “Connections on Linux”.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionsSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    #if os(Linux)
        @Test
        func connectionsAreSettingsOfTheEngine() async throws {
            let dockerURL = try #require(URL(string: "http://docker.internal"))

            var settings = CurlConfiguration()
            settings.unixSockets = ["docker.internal": URL(fileURLWithPath: "/var/run/docker.sock")]
            let docker = SimpleNetworking(baseURL: dockerURL) { $0.transport = CurlTransport(configuration: settings) }

            settings.addresses = [
                "api.example.com": ["192.0.2.7", "2001:db8::7"],
                "staging.example.com:8443": ["127.0.0.1"],
            ]

            settings.interface = "eth1"

            settings.keyLogFile = ProcessInfo.processInfo.environment["SSLKEYLOGFILE"].map { URL(fileURLWithPath: $0) }

            let others = SimpleNetworking(host: "api.example.com") {
                $0.transport = CurlTransport(configuration: settings)
            }
            #expect(docker.configuration.transport is CurlTransport && others.configuration.transport is CurlTransport)
        }

        @Test
        func aRequestConnectsAhead() async {
            server.on(.head, "/health", .status(204))
            let api = client()
            let outcome = await api.head("/health").ended()
            #expect(outcome.value?.httpStatus == 204)
        }
    #endif
}
