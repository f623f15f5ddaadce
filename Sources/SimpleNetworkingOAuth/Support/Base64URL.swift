import SimpleNetworkingSupport

/// Encodes bytes as Base64 for URLs, without padding (RFC 4648 §5).
enum Base64URL {
    static func encode(_ bytes: some Collection<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacingAll("+", with: "-")
            .replacingAll("/", with: "_")
            .replacingAll("=", with: "")
    }

    static func decode(_ text: some StringProtocol) -> Data? {
        let base64 = text.replacingAll("-", with: "+").replacingAll("_", with: "/")
        return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4))
    }

    /// Returns 32 random bytes in 43 characters.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
