import SimpleNetworkingSupport

extension String {
    /// Returns a server's string for a log, without control characters or secrets, truncated to 500 characters.
    func quotable(hiding secrets: [Secret]) -> String {
        let pieces = secrets.map { $0.reveal() }.flatMap { secret in
            let bytes = Data(secret.utf8)
            return [secret, bytes.base64EncodedString(), Base64URL.encode(bytes)]
        }
        // Before the string is cut, because a partial secret would not be found.
        let text = SecretReplacement(pieces).text(of: self)
        // Line breaks can forge log lines, and other control characters can control a terminal. A character can have
        // any number of scalars.
        let scalars = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        let line = String(String.UnicodeScalarView(scalars)).hidingValues
        return String(String.UnicodeScalarView(line.unicodeScalars.prefix(500)))
    }

    /// The text with the values of secret names hidden, as in `token=…`, but not words, as in “Refresh Token: not found”.
    private var hidingValues: String {
        var isAfterName = false
        return pieces(between: " ", keepsEmpty: true).map { piece in
            let word = String(piece)
            defer { isAfterName = word.hasSuffix(":") && Redaction.isSecret(parameter: String(word.dropLast())) }
            let isValue = isAfterName && word.utf8.count >= 8 && word.contains { $0.isNumber }
            return isValue ? Redaction.mark : Redaction.text(ofPlain: word)
        }.joined(separator: " ")
    }
}

extension JSONMembers {
    /// Returns the values in a response that no text may show.
    func secrets(of data: Data) -> [Secret] {
        // Its name contains “token”.
        let type = string("token_type")
        return Redaction.secrets(ofContent: data, type: nil).filter { $0 != type }.map { Secret($0) }
    }
}
