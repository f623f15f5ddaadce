import SimpleNetworkingSupport

/// Holds a server's description of a problem, sent as `application/problem+json` (RFC 9457).
///
/// ```swift
/// api.post("/orders", body: order) {
///     $0.on(error: { error in print(error.problem?.title ?? error.description) })
/// }
/// ```
///
/// A member of the wrong type is treated as missing (RFC 9457 §3.1). To decode extension members into your own type,
/// use `error.content(as:)`.
public struct ProblemDetails: Sendable {
    /// The absolute URI of the problem's type; `about:blank` if the status alone describes the problem.
    public let type: String
    /// A short summary, which is the same for every problem of this type.
    public let title: String?
    /// The status that the origin server sent; a proxy may have changed the status of the response.
    public let status: Int?
    /// An explanation of this occurrence of the problem.
    public let detail: String?
    /// The absolute URI that identifies this occurrence of the problem.
    public let instance: String?

    /// The response that contains the details.
    package let response: SimpleResponse
    /// The names of the members that RFC 9457 defines.
    package static let standardNames: Set = ["type", "title", "status", "detail", "instance"]

    /// Creates the details from a response; nil if its content has another type or isn't a JSON object.
    fileprivate init?(_ response: SimpleResponse) {
        guard response.headers.contentType?.essence == "application/problem+json",
            let object = JSONValue(response.data)?.members
        else {
            return nil
        }
        func uri(_ name: String) -> String? {
            object[name]?.text.map { Self.absolute($0, at: response.request.url) }
        }
        type = uri("type") ?? "about:blank"
        title = object["title"]?.text
        status = object["status"]?.integer.flatMap { (100...599).contains($0) ? $0 : nil }
        detail = object["detail"]?.text
        instance = uri("instance")
        self.response = response
    }

    /// Resolves a relative reference against the problem's URL; returns any other string unchanged.
    private static func absolute(_ reference: String, at base: URL) -> String {
        guard let url = URL(string: reference, relativeTo: base), URL(string: reference)?.scheme == nil else {
            return reference
        }
        return url.absoluteString
    }
}

extension SimpleResponse {
    /// The problem details in the content (RFC 9457); nil unless the content type is `application/problem+json`.
    public var problem: ProblemDetails? { ProblemDetails(self) }
}

extension SimpleNetworkingError {
    /// The problem details of the server's response (RFC 9457); nil unless its content type is
    /// `application/problem+json`.
    public var problem: ProblemDetails? { response?.problem }
}

extension ProblemDetails: Described, Redacted {
    /// The title and the detail, with secrets hidden; the type if both are missing.
    package var shownText: String { words ?? hiding(Redaction.text(ofURL: type)) }

    /// The properties, with only the names of the extension members.
    package var shownMembers: KeyValuePairs<String, Any> {
        let shownInstance = instance.map { hiding(Redaction.text(ofURL: $0)) }
        return [
            "type": hiding(Redaction.text(ofURL: type)), "text": words as Any, "status": status as Any,
            "instance": shownInstance as Any, "members": memberNames,
        ]
    }

    /// The title and the detail, with secrets hidden; nil if both are missing.
    var words: String? {
        let texts = [title, detail].compactMap { $0 }.filter { !$0.isEmpty }.map { text in
            hiding(Redaction.text(ofPlain: Redaction.hidden(text)))
        }
        guard let first = texts.first else { return nil }
        guard texts.count > 1 else { return first }
        let isSentence = first.last.map { ".!?".contains($0) } == true
        return first + (isSentence ? " " : ": ") + texts[1]
    }

    private var memberNames: [String] {
        JSONValue(response.data)?.members?.keys.filter { !Self.standardNames.contains($0) }.sorted() ?? []
    }

    private func hiding(_ text: String) -> String {
        let secrets = Redaction.secrets(of: response.request.headers) + Redaction.secrets(of: response.headers)
        return response.request.hiding(Redaction.hiding(secrets, in: text))
    }
}
