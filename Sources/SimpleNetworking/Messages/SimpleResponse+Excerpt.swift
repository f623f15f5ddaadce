extension SimpleResponse {
    /// A sentence with the beginning of textual content, in one line, secrets hidden; empty if there is none.
    var excerpt: String {
        let type = headers["Content-Type"].map { MediaType($0) }
        guard !data.isEmpty, type?.isText ?? (String(data: data, encoding: .utf8) != nil) else { return "" }
        let secrets = Redaction.secrets(of: request.headers) + Redaction.secrets(of: headers)
        let text = Redaction.hiding(secrets, in: Redaction.text(ofContent: data, type: type, limit: .max))
        let words = text.split {
            $0.isWhitespace || $0.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
        }
        guard !words.isEmpty else { return "" }
        let line = words.joined(separator: " ")
        return " The response says: “\(line.count > 200 ? line.prefix(200) + "…" : line[...])”."
    }
}

extension MediaType {
    /// Whether content of this type is meant to be read as text.
    fileprivate var isText: Bool {
        let essence = essence
        let names = ["json", "xml", "javascript", "x-www-form-urlencoded"]
        return essence.hasPrefix("text/")
            || names.contains { essence == "application/" + $0 || essence.hasSuffix("+" + $0) }
    }
}
