import SimpleNetworkingSupport

/// Represents a `sh` command that sends a request with curl.
struct CurlCommand {
    let head: RequestHead
    let body: RequestBody
    /// Hides the secrets that the client has sent; nil shows all secrets.
    let memory: SecretMemory?

    private var showsSecrets: Bool { memory == nil }

    var text: String {
        var words = ["curl"]
        if head.method == .head {
            words.append("--head")
        } else if head.method != .get || !body.isNone {
            words.append("-X \(quoted(head.method.rawValue))")
        }
        let url = showsSecrets ? head.written.text : Redaction.text(ofURL: head.written.text)
        if url.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
        words.append(quoted(url))
        for field in head.headers {
            let value = showsSecrets ? field.value : Redaction.text(of: field)
            // If the value were empty after the colon, curl would remove the field.
            words.append("-H " + quoted(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"))
        }
        // Otherwise, curl would add the content type of a form.
        if !body.isNone, !head.headers.contains("Content-Type") { words.append("-H 'Content-Type:'") }
        let (start, content) = content
        return start + (words + content).joined(separator: " \\\n  ")
    }

    /// The text before the command, and its last arguments.
    private var content: (start: String, words: [String]) {
        switch body {
        case .none: return ("", [])
        case .data(let data):
            let type = head.headers.contentType
            let plain = String(data: data, encoding: .utf8).flatMap { $0.utf8.contains(0) ? nil : $0 }
            // Not `--data`, which interprets “@” as a file name.
            if let text = showsSecrets ? plain : Redaction.text(ofReadable: data, type: type) {
                return ("", ["--data-raw \(quoted(text))"])
            }
            // Other bytes may be a form or a message with secrets that can't be found.
            guard showsSecrets || type.map(Self.isMedia) == true else { return piped }
            // Shell words can't contain such bytes.
            return ("printf %s \(quoted(data.base64EncodedString())) | base64 -d | ", ["--data-binary @-"])
        case .file(let url): return ("", ["--data-binary \(quoted("@" + url.path))"])
        case .stream, .chunks: return piped
        }
    }

    private static func isMedia(_ type: MediaType) -> Bool {
        ["audio", "font", "image", "video"].contains { type.essence.hasPrefix($0 + "/") }
    }

    private var piped: (start: String, words: [String]) { ("# Pipe the content in: \(body).\n", ["--data-binary @-"]) }

    private func quoted(_ text: String) -> String {
        // Before quoting, which changes secrets.
        let text = memory?.hide(in: text) ?? text
        return "'" + text.replacingAll("'", with: #"'\''"#) + "'"
    }
}
