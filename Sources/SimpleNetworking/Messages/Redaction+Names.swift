/// Names that make a value a secret.
extension Redaction {
    /// Field names that carry credentials by custom, and any name that says so.
    static func isSecret(field name: String) -> Bool {
        hasSecretWord(name) || words(of: name).last == "key" && !hasPublicWord(name)
    }

    /// Names of parameters and JSON members that carry credentials by custom, and any name that says so.
    static func isSecret(parameter name: String) -> Bool {
        hasSecretWord(name) || secretNames.contains { $0.isSameFieldName(as: name) }
    }

    /// Whether a name says that its value is a secret, wherever the name stands.
    static func hasSecretWord(_ name: String) -> Bool {
        let bytes = name.utf8.map { $0 | 0x20 }
        let hasPart = secretParts.contains { part in
            bytes.indices.contains { bytes[$0...].starts(with: part) }
        }
        return hasPart || !secretWords.isDisjoint(with: words(of: name))
    }

    private static func hasPublicWord(_ name: String) -> Bool { !publicWords.isDisjoint(with: words(of: name)) }

    /// The words that a name is made of, in small letters: `userPIN`, `user-pin` and `user_pin` have two.
    private static func words(of name: String) -> [String] {
        let bytes = Array(name.utf8)
        var words: [String] = []
        var start = 0
        for index in 0...bytes.count {
            let isInside = index < bytes.count && ByteSet.lettersAndDigits.contains(bytes[index])
            guard !isInside || begins(at: index, in: bytes) else { continue }
            if index > start { words.append(String(decoding: bytes[start..<index].map { $0 | 0x20 }, as: UTF8.self)) }
            start = isInside ? index : index + 1
        }
        return words
    }

    /// Whether a capital letter begins a word: after a small one, or before one, as in `userPin` and `OTPCode`.
    private static func begins(at index: Int, in bytes: [UInt8]) -> Bool {
        func isCapital(_ index: Int) -> Bool {
            bytes.indices.contains(index) && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[index])
        }
        func isSmall(_ index: Int) -> Bool {
            bytes.indices.contains(index) && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[index])
        }
        return isCapital(index) && (isSmall(index - 1) || isCapital(index - 1) && isSmall(index + 1))
    }

    /// Found anywhere in a name; compared as they come out of `| 0x20`, which makes letters small.
    private static let secretParts: [[UInt8]] = [
        "authorization", "token", "secret", "password", "passwd", "passphrase", "passcode", "api-key", "api_key",
        "apikey", "x-auth", "auth-key", "access-key", "access_key", "accesskey", "private-key", "private_key",
        "privatekey", "subscription-key", "credential", "signature", "session", "assertion", "jwt", "verifier",
    ].map { $0.utf8.map { $0 | 0x20 } }

    /// Found as a whole word of a name.
    private static let secretWords: Set<String> = ["authentication", "bearer", "cookie", "otp", "pin", "totp"]

    /// What the keys of header fields are that are no secrets.
    private static let publicWords: Set<String> = ["idempotency", "surrogate", "websocket"]

    /// Names that are secret only as a whole.
    private static let secretNames = [
        "code", "device_code", "user_code", "key", "sig", "auth", "pass", "pwd", "cookies",
    ]
}
