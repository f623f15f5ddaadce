import Extensions
import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// An authenticator that signs the final bytes.
@Suite(.timeLimit(.minutes(1)))
struct AWSSignatureTests {
    @Test
    func aRequestIsSignedAsItIsSent() async throws {
        let (server, hashed) = (StubTransport().on("*", .json("{}")), Recorder<String>())
        let api = SimpleNetworking(host: "example.amazonaws.com") {
            $0.transport = server
            $0.authenticator = AWSSignature(
                key: "AKIDEXAMPLE",
                secret: Secret("secret"),
                region: "us-east-1",
                service: "service",
                hmac: { _, text in Data(text.utf8.prefix(2)) },
                sha256: { content in
                    hashed.add(String(decoding: content, as: UTF8.self))
                    return "digest"
                },
                now: { Date(timeIntervalSince1970: 1_440_938_160) }
            )
        }
        await api.get("/items", query: ["b": 2, "a": "1|"]).ended()
        let canonical =
            "GET\n/items\na=1%7C&b=2\nhost:example.amazonaws.com\nx-amz-date:20150830T123600Z\n\n"
            + "host;x-amz-date\ndigest"
        #expect(hashed.elements == ["", canonical])
        #expect(
            server.requests.first?.headers["Authorization"]
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=host;x-amz-date, Signature=4157"
        )
    }
}
