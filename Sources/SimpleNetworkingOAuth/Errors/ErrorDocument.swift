import SimpleNetworkingSupport

/// Reads an error in the forms in which servers send it: OAuth's own (RFC 6749 §5.2), those of well-known servers, problem
/// details (RFC 9457), and plain text.
struct ErrorDocument {
    private let code: String?
    private let explanation: String?
    private let uri: String?
    /// The values in the document that no text may show.
    private var secrets: [Secret] = []

    /// Reads the content of a response with an error status; nil if it contains no error.
    init?(_ response: SimpleResponse) {
        let list = { try? JSONDecoder().decode([JSONMembers].self, from: response.data) }
        if let members = JSONMembers(response.data) ?? list()?.first {
            guard let document = ErrorDocument(members) else { return nil }
            self = document
            secrets = members.secrets(of: response.data)
        } else if let text = Self.text(of: response) {
            (code, explanation, uri) = (text, nil, nil)
        } else {
            return nil
        }
    }

    /// Reads the members of an object and of the error in it; nil if they contain neither a code nor a text.
    init?(_ members: JSONMembers) {
        let nested = [members.object("error"), members.object("errors")].compactMap(\.self)
        let objects = [members] + nested
        let codes = objects.flatMap { Self.codes(in: $0) } + nested.compactMap { $0.string("status") }
        // Some servers send a general code, too, such as “Bad Request”.
        code = codes.first { OAuthRefusal.endsSession(code: $0, explanation: nil) } ?? codes.first
        explanation = objects.lazy.compactMap { Self.explanation(in: $0) }.first
        uri = members.string("error_uri")
        if code == nil, explanation == nil { return nil }
    }

    /// Returns the refusal; a server's text stands for a missing code.
    ///
    /// `codes` are the configuration's codes for an invalid refresh token.
    func refusal(
        httpStatus: Int?,
        endingSessionFor codes: Set<OAuthRefusal.Code> = [],
        hiding secrets: [Secret]
    ) -> OAuthRefusal {
        OAuthRefusal(
            code: code ?? explanation ?? "",
            explanation: code == nil ? nil : explanation,
            uri: uri,
            httpStatus: httpStatus,
            endingSessionFor: codes,
            hiding: secrets + self.secrets
        )
    }

    private static func codes(in object: JSONMembers) -> [String] {
        let names = ["error_code", "errorCode", "errcode", "errorType", "code"]
        // Such a number repeats the HTTP status, or means success.
        let codes = names.compactMap { object.text($0) }.filter { code in
            Int(code).map { $0 != 0 && !(100..<600).contains($0) } ?? true
        }
        // Amazon's servers add a namespace before “#”.
        let type = object.string("__type")?.split(separator: "#").last.map(String.init)
        return [object.string("error")].compactMap(\.self) + codes + [type].compactMap(\.self)
    }

    private static func explanation(in object: JSONMembers) -> String? {
        let names = [
            "error_description", "errorDescription", "error_message", "errorMessage", "error_msg", "errorSummary",
            "message", "Message", "msg", "errmsg", "detail", "title", "description",
        ]
        return names.lazy.compactMap { object.string($0) }.first
    }

    /// Returns plain text, or a JSON string; nil for other content, such as an HTML page.
    private static func text(of response: SimpleResponse) -> String? {
        let type = response.headers.contentType?.essence
        let json = try? JSONDecoder().decode(String.self, from: response.data)
        guard type == nil || type == "text/plain" || json != nil else { return nil }
        let text = (json ?? response.text)?[...].trimmed(of: .blanks)
        return text.flatMap { $0.isEmpty || "<{[".contains($0.prefix(1)) ? nil : $0 }
    }
}
