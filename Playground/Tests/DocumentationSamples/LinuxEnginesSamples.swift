import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Runs the samples of the article “Engines on Linux”.
@Suite(.timeLimit(.minutes(5)))
struct LinuxEnginesSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    #if os(Linux)
        @Test
        func aClientIsGivenItsEngine() {
            let foundation = SimpleNetworking(host: "api.example.com") { $0.transport = URLSessionTransport() }

            #expect(foundation.configuration.transport is URLSessionTransport)
        }

        @Test
        func aClientNeedsLibcurl() {
            guard let curl = CurlTransport() else { fatalError("libcurl 7.68 or newer is missing.") }
            let api = SimpleNetworking(host: "api.example.com") { $0.transport = curl }

            #expect(api.configuration.transport is CurlTransport)
        }
    #endif

    #if os(Linux)
        @Test
        func theEngineHasSettings() {
            var settings = CurlConfiguration()
            settings.connectTimeout = 5
            settings.connectionsPerHost = 8
            settings.idleTimeout = 30

            #expect((settings.connectTimeout, settings.connectionsPerHost) == (5, 8))
            let usual = CurlConfiguration()
            #expect((usual.connectTimeout, usual.connectionsPerHost, usual.connectionsPerPromptHost) == (15, 1024, 32))
            #expect(usual.maxHeaderSize == 256 << 10 && usual.idleTimeout == nil)
        }
    #endif
}
