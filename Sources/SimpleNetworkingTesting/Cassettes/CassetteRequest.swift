import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// A request as a cassette stores and compares it, with secrets hidden.
struct CassetteRequest: Sendable {
    let method: String
    var url: String
    var headers: [String]
    /// The body as text, or a description of a body that isn't text; nil for none.
    var body: String?

    init(method: String, url: String, headers: [String], body: String?) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    init(_ request: TransportRequest, _ content: Data, _ secrets: SecretHiding) {
        method = request.method.rawValue
        url = secrets.text(of: Self.stable(request.url))
        headers = request.headers.map { secrets.text(of: $0) }
        body = Self.text(of: request, content, secrets)
        // The boundary is random.
        if request.multipart != nil {
            headers.removeAll { $0.lowercased().hasPrefix("content-type:") }
            headers.append("Content-Type: multipart/form-data")
        }
    }

    var summary: String { "\(method) \(url)" }

    func isSame(as other: CassetteRequest) -> Bool {
        // Other tools write empty content where there is none.
        let hasSameBody =
            Self.matches(other.body ?? "", recorded: body ?? "") || bodyDifferences(from: other)?.isEmpty == true
        return method == other.method && Self.matches(other.url, recorded: url) && hasSameBody
    }

    func comparison(with other: CassetteRequest) -> [Comparison] {
        var rows = [
            Comparison(aspect: "method", expected: method, actual: other.method, isEqual: method == other.method),
            Comparison(
                aspect: "URL",
                expected: url,
                actual: other.url,
                isEqual: Self.matches(other.url, recorded: url)
            ),
        ]
        if let differences = bodyDifferences(from: other) {
            rows += differences.map {
                Comparison(aspect: "body \($0.place)", expected: $0.left, actual: $0.right, isEqual: false)
            }
        } else if !Self.matches(other.body ?? "", recorded: body ?? "") {
            rows.append(
                Comparison(aspect: "body", expected: body ?? "none", actual: other.body ?? "none", isEqual: false)
            )
        }
        return rows
    }

    /// Returns whether the text is the recorded one, which may hide what is a secret no longer, or was one only then.
    private static func matches(_ text: String, recorded: String) -> Bool {
        text == recorded || SecretHiding.hides(text, as: recorded)
    }

    mutating func hide(by secrets: SecretHiding) {
        url = secrets.known(in: url)
        headers = headers.map { secrets.known(in: $0) }
        body = body.map { secrets.known(in: $0) }
    }

    private func bodyDifferences(from other: CassetteRequest) -> [JSONDifference]? {
        guard let body, let otherBody = other.body else { return nil }
        return JSONDifference.all(between: Data(body.utf8), and: Data(otherBody.utf8))
    }

    /// Returns a URL without the port of a server on this machine, which differs each time.
    static func stable(_ url: URL) -> URL {
        guard ["127.0.0.1", "localhost", "::1", "[::1]"].contains(url.host ?? ""),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        parts.port = nil
        return parts.url ?? url
    }

    private static func text(of request: TransportRequest, _ content: Data, _ secrets: SecretHiding) -> String? {
        if case .none = request.body { return nil }
        // Reading it might take it from the server.
        if request.body.isStream { return "(\(request.body))" }
        if let parts = request.multipart {
            return parts.map { part in
                let head = part.name + (part.filename.map { " (\($0))" } ?? "")
                if SecretHiding.isSecret(part.name) { return "\(head): \(SecretHiding.mark)" }
                return "\(head): \(text(of: part.data, part.type, secrets))"
            }.joined(separator: "\n")
        }
        return text(of: content, request.headers["Content-Type"].map { MediaType(rawValue: $0) }, secrets)
    }

    private static func text(of data: Data, _ type: MediaType?, _ secrets: SecretHiding) -> String {
        let hidden = secrets.content(data, type: type)
        if let text = String(data: hidden, encoding: .utf8), hidden.count <= 64 << 10, !text.utf8.contains(0) {
            return text
        }
        return "(\(data.count) bytes, SHA-256 \(SHA256.digest(hidden).hexadecimal))"
    }
}
