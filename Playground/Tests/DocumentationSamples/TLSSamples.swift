import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

final class Trust: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let isExpected = challenge.protectionSpace.host == "api.example.com"
        completionHandler(isExpected ? .performDefaultHandling : .cancelAuthenticationChallenge, nil)
    }
}

/// Runs the samples of the article “TLS, pinning and client certificates”.
@Suite(.timeLimit(.minutes(5)))
struct TLSSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    #if os(Linux)
        @Test
        func aClientHasTheSettingsOfItsEngine() throws {
            let (folder, password) = (FileManager.default.temporaryDirectory, "s3cret")

            var settings = CurlConfiguration()
            settings.caFile = folder.appendingPathComponent("company-ca.pem")
            settings.clientCertificate = .init(
                certificate: folder.appendingPathComponent("device.pem"),
                key: folder.appendingPathComponent("device.key"),
                password: password,
                hosts: ["api.example.com"]
            )
            settings.pinnedPublicKeys = ["47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]

            let api = SimpleNetworking(host: "api.example.com") {
                $0.transport = CurlTransport(configuration: settings)
            }

            #expect(api.configuration.transport is CurlTransport)
            var text = ""
            dump(settings, to: &text)
            #expect(text.contains("device.pem") && !text.contains(password))
        }
    #endif

    @Test
    func aDelegateIsPartOfTheConfiguration() {
        let api = SimpleNetworking(host: "api.example.com") { $0.sessionDelegate = Trust() }
        #expect(api.configuration.sessionDelegate is Trust)
    }
}
