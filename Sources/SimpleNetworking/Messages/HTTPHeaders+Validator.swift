extension HTTPHeaders {
    /// What names this very content, byte for byte: a strong `ETag`, or a `Last-Modified` that is old enough to be one
    /// (RFC 9110 §8.8); nil where nothing does.
    var strongValidator: String? {
        if let tag = self["ETag"] { return tag.hasPrefix("W/") ? nil : tag }
        guard let field = self["Last-Modified"], let modified = HTTPDate.date(field),
            let now = self["Date"].flatMap({ HTTPDate.date($0) }), now.timeIntervalSince(modified) >= 1
        else { return nil }
        return field
    }
}
