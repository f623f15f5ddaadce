import SimpleNetworkingSupport

extension HTTPHeaders {
    /// The content type; nil if the field is missing.
    ///
    /// If there are several `Content-Type` fields, the last valid field applies. If that field has no charset, the
    /// charset of an earlier field of the same type applies (WHATWG Fetch, "extract a MIME type").
    package var contentType: MediaType? { self["Content-Type"].map { MediaType(MediaTypeParts.lastType(in: $0)) } }

    /// Returns the members of a list field that contains no quoted strings (RFC 9110 §5.6.1).
    package func members(of name: String) -> [String] {
        values(for: name).flatMap { $0.pieces(between: ",") }.map(\.trimmed)
    }

    /// Returns whether the content is compressed although the request didn't accept its coding (RFC 9110 §12.5.3).
    ///
    /// If the request has no `Accept-Encoding`, the engine accepts the codings that it can decompress.
    func hasUnrequestedCoding(by request: HTTPHeaders) -> Bool {
        guard request.contains("Accept-Encoding") else { return false }
        let accepted = request.members(of: "Accept-Encoding")
        return ContentCoding.isUnrequested(members(of: "Content-Encoding"), accepted: accepted)
    }
}
