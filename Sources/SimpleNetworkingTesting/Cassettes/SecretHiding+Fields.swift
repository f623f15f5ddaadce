import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

extension SecretHiding {
    /// Returns the value of a header field, without secrets.
    ///
    /// Cookies and challenges remain readable: a jar accepts the former, and an authenticator responds to the latter.
    func value(of field: HTTPHeaders.Field) -> String {
        switch field.name.lowercased() {
        case "set-cookie": cookie(field.value)
        case "www-authenticate": challenges(field.value)
        default: String(text(of: field).dropFirst(field.name.count + 2))
        }
    }

    /// Hides the value of a cookie, but not its name and attributes.
    private func cookie(_ field: String) -> String {
        let (pair, attributes) = field.parts(at: ";")
        let (name, value) = pair.parts(at: "=")
        let isEmpty = value?.trimmed.isEmpty ?? pair.trimmed.isEmpty
        let hidden = value == nil ? Self.mark : "\(known(in: String(name)))=\(Self.mark)"
        return (isEmpty ? String(pair) : hidden) + (attributes.map { ";" + text(of: String($0)) } ?? "")
    }

    /// Hides tokens and the values of parameters that may be secret, such as `nonce`.
    private func challenges(_ field: String) -> String {
        field.listMembers(hidingBehindUnclosedQuotes: false).map { member in
            let member = String(member.trimmed)
            let (words, value) = member.parts(at: "=")
            let scheme = words.pieces(between: " ").first ?? words
            // A token may end with “=”.
            guard let value, value.contains(where: { $0 != "=" && $0 != " " }) else {
                return member == scheme ? member : "\(scheme) \(Self.mark)"
            }
            let name = words.pieces(between: " ").last?.lowercased() ?? ""
            return Self.openParameters.contains(name) ? member : "\(words)=\"\(Self.mark)\""
        }.joined(separator: ", ")
    }

    /// The parameters of a challenge that say how to respond.
    private static let openParameters: Set<String> = [
        "realm", "qop", "algorithm", "charset", "stale", "userhash", "error", "error_description", "scope", "max-age",
    ]
}
