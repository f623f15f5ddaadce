import Foundation
import SimpleNetworking

/// Signs each request when it is sent, as AWS does (Signature Version 4).
public struct AWSSignature: Authenticator {
    private let key: String
    private let secret: Secret
    private let region: String
    private let service: String
    private let hmac: @Sendable (_ key: Data, _ text: String) -> Data
    private let sha256: @Sendable (_ content: Data) -> String
    private let now: @Sendable () -> Date

    /// Creates an authenticator for a service.
    ///
    /// Pass the HMAC with SHA-256, and the digest in hexadecimal, for example, from CryptoKit or swift-crypto.
    public init(
        key: String,
        secret: Secret,
        region: String,
        service: String,
        hmac: @escaping @Sendable (_ key: Data, _ text: String) -> Data,
        sha256: @escaping @Sendable (_ content: Data) -> String,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.key, self.secret, self.region, self.service) = (key, secret, region, service)
        (self.hmac, self.sha256, self.now) = (hmac, sha256, now)
    }

    /// Names the key.
    public func credential() async throws -> String? { key }

    /// Adds the date and the signature.
    public func sign(_ request: inout TransportRequest, with key: String) {
        let time = ISO8601DateFormatter().string(from: now()).filter { $0 != "-" && $0 != ":" }
        let scope = "\(time.prefix(8))/\(region)/\(service)/aws4_request"
        let target = request.head.target.split(separator: "?", maxSplits: 1)
        let query = target.dropFirst().joined().split(separator: "&").sorted().joined(separator: "&")
        let content = if case .data(let data) = request.body { data } else { Data() }
        let canonical = [
            request.method.rawValue, String(target[0]), query, "host:\(request.url.host ?? "")", "x-amz-date:\(time)",
            "", "host;x-amz-date", sha256(content),
        ].joined(separator: "\n")
        let text = ["AWS4-HMAC-SHA256", time, scope, sha256(Data(canonical.utf8))].joined(separator: "\n")
        let steps = [String(time.prefix(8)), region, service, "aws4_request", text]
        let signature = steps.reduce(Data("AWS4\(secret.reveal())".utf8), hmac)
        request.headers["X-Amz-Date"] = time
        request.headers["Authorization"] =
            "AWS4-HMAC-SHA256 Credential=\(key)/\(scope), SignedHeaders=host;x-amz-date, Signature="
            + signature.map { String(format: "%02x", $0) }.joined()
    }
}
