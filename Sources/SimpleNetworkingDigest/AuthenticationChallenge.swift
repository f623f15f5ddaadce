import SimpleNetworkingSupport

/// Holds a challenge in a 401 response: a scheme and its parameters (RFC 9110 §11.3).
struct AuthenticationChallenge {
    /// The scheme, in lowercase.
    let scheme: String
    private var parameters: [String: String] = [:]

    private init(scheme: String) { self.scheme = scheme }

    /// Returns the value of a parameter.
    ///
    /// Parameter names are case-insensitive.
    subscript(name: String) -> String? { parameters[name] }

    /// Returns the challenges in `WWW-Authenticate` fields, without malformed parameters.
    static func all(in headers: HTTPHeaders) -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        let members = headers.values(for: "WWW-Authenticate").flatMap {
            $0.listMembers(hidingBehindUnclosedQuotes: false)
        }
        for member in members {
            var parameter = member.trimmed[...]
            if let scheme = scheme(of: parameter) {
                challenges.append(AuthenticationChallenge(scheme: scheme.lowercased()))
                parameter = parameter.dropFirst(scheme.count).trimmed[...]
            }
            guard !challenges.isEmpty, let (name, value) = Self.parameter(parameter) else { continue }
            challenges[challenges.count - 1].parameters[name] = value
        }
        return challenges
    }

    /// Returns the scheme at the start of a list member, or nil if the member is another parameter.
    private static func scheme(of member: Substring) -> Substring? {
        let word = member.prefix { $0 != " " && $0 != "=" }
        let rest = member.dropFirst(word.count).trimmed
        return String(word).isToken && !rest.hasPrefix("=") ? word : nil
    }

    private static func parameter(_ text: Substring) -> (name: String, value: String)? {
        let (before, after) = text.parts(at: "=")
        let name = before.trimmed.lowercased()
        guard let value = after?.trimmed, name.isToken else { return nil }
        var rest = value[...].unicodeScalars
        guard rest.first == "\"" else { return (name, value) }
        let isClosed = rest.count >= 2 && rest.last == "\""
        let content = rest.takeQuoted()
        return isClosed && rest.isEmpty ? (name, content) : nil
    }
}
