extension HTTPHeaders {
    /// The fields that a cache keeps: none that concern one connection (RFC 9111 §3.1), and no cookies, which would come
    /// back after they were removed.
    var storable: HTTPHeaders {
        let named = values(for: "Connection").flatMap { $0.split(separator: ",").map(\.trimmed) }
        let left =
            named + [
                "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authentication-Info",
                "Proxy-Authorization", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Set-Cookie", "Set-Cookie2",
            ]
        var kept = self
        kept.filter { field in !left.contains { $0.isSameFieldName(as: field.name) } }
        return kept
    }

    /// Whether the content has come without a transfer coding that stays in it: engines take out chunks alone.
    var isPlainlyTransferred: Bool {
        values(for: "Transfer-Encoding").flatMap { $0.split(separator: ",") }
            .allSatisfy { ["", "chunked", "identity"].contains($0.trimmed.lowercased()) }
    }

    /// The names in `Vary`; nil for `*`, which no request ever matches (RFC 9111 §4.1).
    var variedNames: [String]? {
        let names = values(for: "Vary").flatMap { $0.split(separator: ",") }.map(\.trimmed).filter { !$0.isEmpty }
        return names.contains("*") ? nil : names
    }

    /// Whether the request itself says under which condition it wants an answer, or a part of one (RFC 9110 §13.1).
    var isConditional: Bool {
        ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"].contains(where: contains)
    }
}
