extension HTTPHeaders {
    /// The type of the content; nil without the field.
    ///
    /// Of several, the last valid one counts, with the charset of an earlier one if that has the same type (WHATWG
    /// Fetch, "extract a MIME type").
    package var contentType: MediaType? {
        guard let field = self["Content-Type"] else { return nil }
        var found: (type: String, parts: MediaTypeParts, charset: String?)?
        for type in field.listMembers(hidingBehindUnclosedQuotes: true) {
            let parts = MediaTypeParts(String(type))
            guard parts.isValid, parts.essence != "*/*" else { continue }
            let inherited = found?.parts.essence == parts.essence ? found?.charset : nil
            found = (String(type), parts, parts["charset"] ?? inherited)
        }
        guard let (type, parts, charset) = found else { return MediaType(field) }
        guard let charset, parts["charset"] == nil else { return MediaType(type) }
        let quoted = charset.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        // In front, since an unclosed quote would hide it.
        return MediaType("\(parts.essence);charset=\"\(quoted)\"" + type.drop { $0 != ";" })
    }

    /// What identifies this content byte for byte: a strong `ETag`, or a `Last-Modified` old enough to be one
    /// (RFC 9110 §8.8); nil without either.
    var strongValidator: String? {
        if let tag = self["ETag"] { return tag.hasPrefix("W/") ? nil : tag }
        guard let field = self["Last-Modified"], let modified = HTTPDate.date(field),
            let now = self["Date"].flatMap({ HTTPDate.date($0) }), now.timeIntervalSince(modified) >= 1
        else { return nil }
        return field
    }

    /// The members of a field that is a list, without quoted ones (RFC 9110 §5.6.1).
    func members(of name: String) -> [String] {
        values(for: name).flatMap { $0.split(separator: ",") }.map(\.trimmed)
    }

    /// Tells whether content came compressed although the request did not accept that (RFC 9110 §12.5.3).
    ///
    /// Without `Accept-Encoding`, the engine accepts what it can decompress.
    func hasUnrequestedCoding(by request: HTTPHeaders) -> Bool {
        guard request.contains("Accept-Encoding") else { return false }
        let accepted = request.codings(of: "Accept-Encoding")
        return codings(of: "Content-Encoding").contains {
            Self.compressing.contains($0) && !accepted.contains($0) && !accepted.contains("*")
        }
    }

    /// What engines decompress.
    private static let compressing = ["gzip", "deflate", "br", "zstd"]

    /// The codings that a field names in lower case, without those whose weight is 0.
    private func codings(of name: String) -> [String] {
        members(of: name).compactMap { member in
            let weight = member.split(separator: "=", maxSplits: 1).dropFirst().first
            guard weight.flatMap({ Double($0.trimmed) }) != 0 else { return nil }
            let coding = member.prefix { $0 != ";" }.trimmed.lowercased()
            return coding == "x-gzip" ? "gzip" : coding
        }
    }
}

extension CacheControl {
    init(_ headers: HTTPHeaders) { self.init(headers.values(for: "Cache-Control")) }

    init(pragma headers: HTTPHeaders) { self.init(headers.values(for: "Pragma")) }
}

extension ContentRange {
    /// Tells whether a response is within a request's `Range` (RFC 9110 §14.2).
    static func satisfies(_ range: String, with headers: HTTPHeaders) -> Bool {
        let isMultipart = headers.contentType?.essence == "multipart/byteranges"
        return satisfies(range, with: headers["Content-Range"], isMultipart: isMultipart)
    }
}
