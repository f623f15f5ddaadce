extension HTTPHeaders {
    /// The content type; nil if the field is missing.
    ///
    /// If there are several `Content-Type` fields, the last valid field applies. If that field has no charset, the
    /// charset of an earlier field of the same type applies (WHATWG Fetch, "extract a MIME type").
    package var contentType: MediaType? { self["Content-Type"].map { MediaType(MediaTypeParts.lastType(in: $0)) } }

    /// The strong validator of the content, if any.
    ///
    /// The validator is a strong `ETag`, or a `Last-Modified` date that is old enough to be a strong validator (RFC
    /// 9110 §8.8).
    package var strongValidator: String? {
        if let tag = self["ETag"] {
            let isStrong = tag.utf8.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
            return isStrong ? tag : nil
        }
        guard let field = self["Last-Modified"], let modified = HTTPDate.date(field),
            let now = self["Date"].flatMap({ HTTPDate.date($0) }), now.timeIntervalSince(modified) >= 1
        else { return nil }
        return field
    }

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

extension ContentRange {
    /// Returns whether a response is within a request's `Range` (RFC 9110 §14.2).
    package static func satisfies(_ range: String, with headers: HTTPHeaders) -> Bool {
        let isMultipart = headers.contentType?.essence == "multipart/byteranges"
        return satisfies(range, with: headers["Content-Range"], isMultipart: isMultipart)
    }
}
