/// Remembers which names are secret: clients repeat a few, and checking one costs more than sending it.
struct SecretNames {
    private var fields: [String: Bool] = [:]
    private var members: [String: Bool] = [:]

    mutating func contains(field name: String) -> Bool {
        Self.lookUp(name, in: &fields) { Redaction.isSecret(field: $0) }
    }

    /// Tells whether a form or JSON may have a member with a secret name.
    mutating func areContained(in body: RequestBody, _ type: MediaType?) -> Bool {
        // Secrets are sent in small forms and objects.
        guard case .data(let data) = body, data.count <= 16 << 10, let type = type?.essence else { return false }
        if type == MediaType.form.rawValue { return isMember(ofForm: data) }
        return type.hasSuffix("json") && isMember(ofJSON: data)
    }

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

    private mutating func isMember(ofForm data: Data) -> Bool {
        for pair in data.split(separator: UInt8(ascii: "&")) {
            let name = String(decoding: pair.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            if contains(member: name.removingPercentEncoding ?? name) { return true }
        }
        return false
    }

    /// A name is a text before a colon; one with escapes may be any.
    private mutating func isMember(ofJSON data: Data) -> Bool {
        var rest = data[...]
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
            guard rest.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: ":") else { continue }
            if isEscaped || contains(member: String(decoding: name, as: UTF8.self)) { return true }
        }
        return false
    }
}
