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
            if contains(member: name.percentDecoded ?? name) { return true }
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
