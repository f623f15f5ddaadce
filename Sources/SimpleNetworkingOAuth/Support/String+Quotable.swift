extension String {
    /// A server's words, fit for a log: not too long, without control characters, and without the secrets that it was sent.
    func quotable(hiding secrets: [Secret]) -> String {
        var text = self
        // Hidden before the text is cut: a part of a secret could not be found. The longest first, since one may begin with
        // another.
        for secret in secrets.sorted(by: { $0.reveal().utf8.count > $1.reveal().utf8.count })
        where secret.reveal().utf8.count > 3 {
            text = text.replacingOccurrences(of: secret.reveal(), with: secret.description, options: .literal)
        }
        // Line breaks would forge lines of a log, and control characters whatever a terminal does with them.
        let scalars = text.prefix(500).unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}
