/// Identifies the names whose values are secrets.
extension Redaction {
    /// Returns whether a field carries credentials, which are never shared, even if the caller names the field.
    package static func isCredential(field name: String) -> Bool {
        hasSecretPart(name) || words(of: name).contains("cookie")
    }

    /// Returns whether a field describes the content and its retrieval, not the user (RFC 9110, RFC 9111).
    ///
    /// Its value is not a secret, unless it is marked as one.
    package static func isHarmless(field name: String) -> Bool { harmless.contains { $0.isSameFieldName(as: name) } }

    /// Returns whether a field's value is hidden in logs and descriptions: credentials and possible credentials.
    package static func isSecret(field name: String) -> Bool {
        if hasSecretWord(name) { return true }
        let words = words(of: name)
        return words.last == "key" && publicWords.isDisjoint(with: words)
    }

    /// Returns whether the value of a parameter is hidden, as in a query or a form.
    @inline(never)  // Inlined 12 times, it took 4 KB.
    package static func isSecret(parameter name: String) -> Bool {
        hasSecretWord(name) || secretNames.contains { $0.isSameFieldName(as: name) }
    }

    /// Returns whether the value of a JSON member or an element is hidden.
    ///
    /// A `code` is a secret beside the members of an OAuth message. Elsewhere, it tells what went wrong.
    static func isSecret(member name: String, isBesideOAuth: @autoclosure () -> Bool) -> Bool {
        isSecret(parameter: name) && (!name.isSameFieldName(as: "code") || isBesideOAuth())
    }

    /// Returns whether the value of a JSON member is hidden in an object with these names.
    package static func isSecret(member name: String, beside names: some Sequence<String>) -> Bool {
        isSecret(member: name, isBesideOAuth: names.contains { isOAuth(member: $0) })
    }

    /// Returns whether OAuth messages that contain a code have such a member, also in camel case.
    static func isOAuth(member name: String) -> Bool {
        let letters = name.utf8.filter { ByteSet.letters.contains($0) }.map { $0 | 0x20 }
        return oauthMembers.contains(String(decoding: letters, as: UTF8.self))
    }

    /// Returns whether a string is a JSON Web Token, which is a secret under any name.
    ///
    /// It has three parts, of which the first begins a JSON object (RFC 7519).
    package static func isJSONWebToken(_ text: some Collection<UInt8>) -> Bool {
        guard text.starts(with: "eyJ".utf8), text.count >= 20 else { return false }
        return text.allSatisfy { PercentEncoding.unreserved.contains($0) }
            && text.count { $0 == UInt8(ascii: ".") } == 2
    }

    /// Returns a string without the web tokens in it, as in a path or after a scheme.
    package static func hidingWebTokens(in text: String) -> String {
        guard mayHaveWebToken(text) else { return text }
        var output: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let word = rest.prefix { PercentEncoding.unreserved.contains($0) }
            output += isJSONWebToken(word) ? ArraySlice(mark.utf8) : word
            rest = rest[word.endIndex...]
            output += rest.prefix(1)
            rest = rest.dropFirst()
        }
        return String(decoding: output, as: UTF8.self)
    }

    package static func mayHaveWebToken(_ text: String) -> Bool { text.firstRange(of: "eyJ") != nil }

    /// Returns whether the name indicates a secret even in the middle of a sentence.
    package static func hasSecretWord(_ name: String) -> Bool {
        hasSecretPart(name) || !secretWords.isDisjoint(with: words(of: name))
    }

    private static func hasSecretPart(_ name: String) -> Bool {
        let bytes = name.utf8.map { $0 | 0x20 }
        return secretParts.contains { part in bytes.indices.contains { bytes[$0...].starts(with: part) } }
    }

    /// Returns the words of a name in lowercase: `userPIN`, `user-pin` and `user_pin` have two.
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

    /// Returns whether a capital begins a word: after a small letter, or before one, as in `userPin` and `OTPCode`.
    private static func begins(at index: Int, in bytes: [UInt8]) -> Bool {
        func isCapital(_ index: Int) -> Bool {
            bytes.indices.contains(index) && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[index])
        }
        func isSmall(_ index: Int) -> Bool {
            bytes.indices.contains(index) && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[index])
        }
        return isCapital(index) && (isSmall(index - 1) || isCapital(index - 1) && isSmall(index + 1))
    }

    /// Found anywhere in a name; compared after `| 0x20`, which makes letters lowercase.
    private static let secretParts: [[UInt8]] = [
        "authorization", "token", "secret", "password", "passwd", "passphrase", "passcode", "api-key", "api_key",
        "apikey", "x-auth", "auth-key", "access-key", "access_key", "accesskey", "private-key", "private_key",
        "privatekey", "subscription-key", "credential", "signature", "session", "assertion", "jwt", "verifier",
    ].map { $0.utf8.map { $0 | 0x20 } }

    /// Found as a complete word of a name.
    private static let secretWords: Set<String> = ["authentication", "bearer", "cookie", "otp", "pin", "totp"]

    /// Words of header fields whose keys are not secrets.
    private static let publicWords: Set<String> = ["idempotency", "surrogate", "websocket"]

    /// Secret only as the complete name.
    private static let secretNames = [
        "code", "device_code", "user_code", "key", "sig", "auth", "pass", "pwd", "cookies",
    ]

    /// The members beside a code in OAuth messages (RFC 6749, 7636, 8628, 9207 and OpenID Connect), as letters only.
    private static let oauthMembers: Set<String> = [
        "granttype", "clientid", "clientsecret", "clientassertion", "redirecturi", "responsetype", "state", "nonce",
        "iss", "sessionstate", "codeverifier", "codechallenge", "devicecode", "usercode", "accesstoken",
        "refreshtoken", "idtoken", "tokentype",
    ]

    /// The most common fields come first.
    private static let harmless = [
        "Accept", "User-Agent", "Content-Type", "Accept-Charset", "Accept-Encoding", "Accept-Language",
        "Cache-Control", "Pragma",
        "Connection", "Date", "Expect", "Idempotency-Key", "Priority", "TE", "Trailer", "Transfer-Encoding",
        "Content-Digest", "Content-Disposition", "Content-Encoding", "Content-Language", "Content-Length",
        "Content-MD5", "Content-Range", "Repr-Digest",
        "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Range",
    ]
}
