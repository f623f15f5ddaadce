/// What a server asks for with a 401: a scheme and its parameters (RFC 9110 §11.3).
struct AuthenticationChallenge: Equatable {
    /// In lower case.
    let scheme: String
    private let parameters: [String: String]

    /// Returns a parameter; names have no case.
    subscript(name: String) -> String? { parameters[name] }

    /// Reads the challenges of `WWW-Authenticate` fields; malformed parameters are left out.
    static func all(in headers: HTTPHeaders) -> [AuthenticationChallenge] {
        var challenges: [(scheme: String, parameters: [String: String])] = []
        let members = headers.values(for: "WWW-Authenticate").flatMap {
            $0.listMembers(hidingBehindUnclosedQuotes: false)
        }
        for member in members {
            var parameter = member.trimmed[...]
            if let scheme = scheme(of: parameter) {
                challenges.append((scheme.lowercased(), [:]))
                parameter = parameter.dropFirst(scheme.count).trimmed[...]
            }
            guard !challenges.isEmpty, let (name, value) = Self.parameter(parameter) else { continue }
            challenges[challenges.count - 1].parameters[name] = value
        }
        return challenges.map { AuthenticationChallenge(scheme: $0.scheme, parameters: $0.parameters) }
    }

    /// The scheme that a member of the list begins with; nil if it is a further parameter.
    private static func scheme(of member: Substring) -> Substring? {
        let word = member.prefix { $0 != " " && $0 != "=" }
        let rest = member.dropFirst(word.count).trimmed
        return String(word).isToken && !rest.hasPrefix("=") ? word : nil
    }

    private static func parameter(_ text: Substring) -> (name: String, value: String)? {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        let name = String(text[..<equals].trimmed).lowercased()
        let value = text[text.index(after: equals)...].trimmed[...]
        guard name.isToken else { return nil }
        guard value.hasPrefix("\"") else { return (name, String(value)) }
        guard value.count >= 2, value.hasSuffix("\"") else { return nil }
        return (name, unescaped(value.dropFirst().dropLast()))
    }

    /// The text of a quoted string, in which a backslash stands before any character (RFC 9110 §5.6.4).
    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var isEscaped = false
        for character in text {
            if character == "\\", !isEscaped {
                isEscaped = true
                continue
            }
            result.append(character)
            isEscaped = false
        }
        return result
    }
}
