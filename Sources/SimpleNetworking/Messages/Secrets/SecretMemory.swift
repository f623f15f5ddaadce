/// Remembers the secrets that a client has sent, so that no text shows them wherever they come back.
///
/// It keeps the most recently used values, 64 KiB of them, and none under 6 bytes, which texts contain by chance.
/// Noting a request costs a look at the names of its fields and members; all else is done when a text is made.
final class SecretMemory: Sendable {
    private struct State {
        /// The pieces to hide, by the values they were found in.
        var pieces = RecencyList<String, [String]>(limit: 64 << 10)
        /// Made together with a text.
        var hiding: Hiding?
        var names = SecretNames()

        var values: [String] { pieces.keys.flatMap { pieces.peek($0) ?? [] } }

        /// The values that are new; the others are used once more.
        mutating func unknown(_ values: [String]) -> [String] {
            values.filter { value in
                pieces.use(value)
                return !pieces.contains(value)
            }
        }
    }

    private let state = Locked(State())

    /// The pieces of the values that are remembered.
    var values: [String] { state.withLock(\.values) }

    /// How many values are remembered.
    var count: Int { state.withLock { $0.pieces.count } }

    /// Remembers the secrets of a request.
    func note(_ head: RequestHead, _ body: RequestBody) {
        let type = body.isNone ? nil : head.headers["Content-Type"].map { MediaType($0) }
        let suspects = head.headers.fields.filter { $0.isSecret || !FieldSharing.isHarmless($0.name) }
        var (fields, hasMembers) = ([String](), false)
        // Most requests need no lock.
        if !suspects.isEmpty || !body.isNone {
            (fields, hasMembers) = state.withLock { state in
                let fields = suspects.filter { $0.isSecret || state.names.contains(field: $0.name) }
                return (state.unknown(fields.map(\.value)), state.names.areContained(in: body, type))
            }
        }
        for value in fields { remember(Redaction.secrets(ofField: value), of: value) }
        var values: [String] = []
        if !head.url.absoluteString.allBytes({ $0 != UInt8(ascii: "?") }) { values = Redaction.secrets(of: head.url) }
        if hasMembers, case .data(let data) = body { values += Redaction.secrets(of: data, type: type) }
        for value in values { remember([value], of: value) }
    }

    /// Remembers a secret that is a part of content.
    func note(_ secret: Secret) {
        let value = secret.reveal()
        remember([value], of: value)
    }

    /// A text without the remembered secrets.
    func hide(in text: String) -> String {
        let hiding: Hiding? = state.withLock { state in
            if state.pieces.count == 0 { return nil }
            let hiding = state.hiding ?? Hiding(state.values)
            state.hiding = hiding
            return hiding
        }
        return hiding?.text(of: text) ?? text
    }

    private func remember(_ values: [String], of whole: String) {
        let pieces = values.filter { $0.utf8.count >= 6 }
        let cost = pieces.reduce(whole.utf8.count + 64) { $0 + $1.utf8.count }
        // A value that would evict all others is unlikely to come back.
        guard cost <= 24 << 10 else { return }
        state.withLock { state in
            guard !state.pieces.contains(whole) else { return state.pieces.use(whole) }
            _ = state.pieces.insert(whole, pieces, cost: cost)
            state.hiding = nil
        }
    }
}

/// The secrets of a message, in the pieces in which they may come back.
extension Redaction {
    /// The values of secret header fields.
    package static func secrets(of headers: HTTPHeaders) -> [String] {
        headers.fields.filter { value(of: $0) == mark }.flatMap { field -> [String] in
            // Of a cookie that is set only the value, not its attributes.
            let isSet = field.name.isSameFieldName(as: "Set-Cookie")
            let value = isSet ? field.value.prefix { $0 != ";" } : field.value[...]
            var pieces = [String(value)] + secrets(ofField: String(value))
            pieces += value.split(whereSeparator: { " ;,".contains($0) }).map(String.init)
            return pieces.filter { !schemes.contains($0.lowercased()) }
        }
    }

    /// The pieces of a secret field's value: the credential after its scheme, the values of cookies, and the password
    /// of Basic credentials.
    static func secrets(ofField value: String) -> [String] {
        let words = value.split(separator: " ", maxSplits: 1)
        if words.count == 2, schemes.contains(words[0].lowercased()) {
            let credential = String(words[1])
            let basic = Data(base64Encoded: credential).map { String(decoding: $0, as: UTF8.self) }
            let password = (basic ?? "").drop { $0 != ":" }.dropFirst()
            return [credential, String(password)]
        }
        // As in cookies; a token may end with “=”.
        let pairs = value.split(separator: ";").compactMap { pair -> String? in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? String(parts[1]) : nil
        }
        return [value] + pairs
    }

    /// The values of secret query items, decoded.
    package static func secrets(of url: URL) -> [String] {
        let query = url.absoluteString.drop { $0 != "?" }.dropFirst()
        return secrets(ofQuery: query.prefix { $0 != "#" })
    }

    /// The values of secret members of a form or of JSON; none of other content.
    package static func secrets(of content: Data, type: MediaType?) -> [String] {
        if type?.essence == MediaType.form.rawValue {
            return secrets(ofQuery: String(decoding: content, as: UTF8.self)[...])
        }
        guard let json = try? JSONSerialization.jsonObject(with: content, options: .fragmentsAllowed) else { return [] }
        return secrets(ofJSON: json, isSecret: false)
    }

    private static func secrets(ofQuery pairs: Substring) -> [String] {
        pairs.split(separator: "&").compactMap(secretValue(ofPair:)).map { value in
            let value = value.replacingOccurrences(of: "+", with: " ")
            return value.removingPercentEncoding ?? value
        }
    }

    private static func secrets(ofJSON json: Any, isSecret: Bool) -> [String] {
        switch json {
        case let object as [String: Any]:
            object.flatMap { secrets(ofJSON: $1, isSecret: isSecret || self.isSecret(parameter: $0)) }
        case let array as [Any]: array.flatMap { secrets(ofJSON: $0, isSecret: isSecret) }
        case let text as String: isSecret ? [text] : []
        case let number as NSNumber: isSecret ? ["\(number)"] : []
        default: []
        }
    }

    private static let schemes = ["basic", "bearer", "digest", "token", "negotiate", "path", "secure", "httponly"]
}

extension RequestHead {
    /// What the request's client has sent as a secret, or decoded as one.
    package var knownSecrets: [String] { memory?.values ?? [] }
}

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
