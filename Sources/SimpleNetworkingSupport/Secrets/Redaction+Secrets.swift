/// Finds secrets, in the pieces in which they may reappear.
extension Redaction {
    /// Returns the pieces of a secret field's value.
    ///
    /// They are the credential after its scheme, the values of cookies, and the password of Basic credentials.
    package static func secrets(ofField value: String) -> [String] {
        let start = value.drop { $0 == " " }
        let (scheme, credential) = start.parts(at: " ")
        if let credential, schemes.contains(scheme.lowercased()) {
            let basic = Data(base64Encoded: String(credential)).map { String(decoding: $0, as: UTF8.self) }
            let password = basic?.parts(at: ":").after ?? ""
            return [String(credential), String(password)]
        }
        // As in cookies; a token may end with “=”. The credential of an unknown scheme may reappear alone.
        let unknown = String(scheme).isToken ? credential.map { [String($0)] } ?? [] : []
        return [value] + unknown + value.pieces(between: ";").compactMap { $0.parts(at: "=").after.map(String.init) }
    }

    /// Returns the value of a secret field, whole and as separate words.
    package static func secrets(ofField name: String, _ value: String) -> [String] {
        // Only the value of a `Set-Cookie` field, not its attributes.
        let value = name.isSameFieldName(as: "Set-Cookie") ? value.parts(at: ";").before : value[...]
        let words = value.pieces(between: " ;,").map(String.init)
        let pieces = [String(value)] + secrets(ofField: String(value)) + words
        return pieces.filter { !schemes.contains($0.lowercased()) }
    }

    /// Returns the values of secret members in a form or JSON; none for other content.
    package static func secrets(ofContent content: Data, type: String?) -> [String] {
        if type.map({ MediaTypeParts($0) })?.isForm == true {
            return secrets(ofQuery: String(decoding: content, as: UTF8.self)[...])
        }
        guard let json = try? JSONSerialization.jsonObject(with: content, options: .fragmentsAllowed) else { return [] }
        return secrets(ofJSON: json, isSecret: false)
    }

    /// Returns the values of secret query items, decoded.
    package static func secrets(of url: URL) -> [String] {
        secrets(ofQuery: URLParts.split(url.absoluteString[...]).query ?? "")
    }

    package static func secrets(ofQuery pairs: Substring) -> [String] {
        pairs.pieces(between: "&").compactMap(secretValue(ofPair:)).map { value in
            let value = value.replacingOccurrences(of: "+", with: " ")
            return value.removingPercentEncoding ?? value
        }
    }

    static func secrets(ofJSON json: Any, isSecret: Bool) -> [String] {
        switch json {
        case let object as [String: Any]:
            object.flatMap { name, value in
                secrets(ofJSON: value, isSecret: isSecret || self.isSecret(member: name, beside: object.keys))
            }
        case let array as [Any]: array.flatMap { secrets(ofJSON: $0, isSecret: isSecret) }
        case let text as String: isSecret ? [text] : []
        case let number as NSNumber: isSecret ? ["\(number)"] : []
        default: []
        }
    }

    private static let schemes = ["basic", "bearer", "digest", "token", "negotiate", "path", "secure", "httponly"]
}

/// Caches which names are secret, because clients repeat a few, and checking one costs more than sending it.
package struct SecretNames {
    private var fields: [String: Bool] = [:]
    private var members: [String: Bool] = [:]

    package mutating func contains(field name: String) -> Bool {
        Self.lookUp(name, in: &fields) { Redaction.isSecret(field: $0) }
    }

    package init() {}

    private mutating func contains(member name: String) -> Bool {
        Self.lookUp(name, in: &members) { Redaction.isSecret(parameter: $0) }
    }

    private static func lookUp(_ name: String, in names: inout [String: Bool], _ look: (String) -> Bool) -> Bool {
        if let isSecret = names[name] { return isSecret }
        if names.count == 256 { names = [:] }
        let isSecret = look(name)
        names[name] = isSecret
        return isSecret
    }

    /// Returns whether a form or JSON may contain a member with a secret name.
    package mutating func areContained(in content: Data?, type: String?) -> Bool {
        // Secrets are sent in small forms and objects.
        guard let content, content.count <= 16 << 10, let type = type.map({ MediaTypeParts($0) }) else { return false }
        return type.isForm ? isMember(ofForm: content) : type.essence.hasSuffix("json") && isMember(ofJSON: content)
    }

    private mutating func isMember(ofForm data: Data) -> Bool {
        for pair in String(decoding: data, as: UTF8.self).pieces(between: "&") {
            let name = String(pair.parts(at: "=").before)
            if contains(member: name.removingPercentEncoding ?? name) { return true }
        }
        return false
    }

    /// A name is a string before a colon; a name with escapes may be any name.
    private mutating func isMember(ofJSON data: Data) -> Bool {
        var rest = [UInt8](data)[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "\"")) {
            var end = start + 1
            var isEscaped = false
            while end < rest.endIndex, rest[end] != UInt8(ascii: "\"") {
                let isEscape = rest[end] == UInt8(ascii: "\\")
                isEscaped = isEscaped || isEscape
                end += isEscape ? 2 : 1
            }
            guard end < rest.endIndex else { return false }
            let name = rest[(start + 1)..<end]
            rest = rest[(end + 1)...]
            guard rest.first(where: { !ByteSet.blanks.contains($0) }) == UInt8(ascii: ":") else { continue }
            if isEscaped || contains(member: String(decoding: name, as: UTF8.self)) { return true }
        }
        return false
    }
}
