/// What follows on the pair in a `Set-Cookie` field (RFC 6265 §5.2).
struct CookieAttributes {
    private(set) var domain: String?
    private(set) var path: String?
    private(set) var expires: Date?
    private(set) var isSecure = false

    init(_ parts: ArraySlice<Substring>, now: Date) {
        var maxAge: Date?
        for part in parts {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count == 2 ? pair[1].trimmed : ""
            switch pair.first?.trimmed.lowercased() {
            case "domain":
                let name = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
                domain = name.isEmpty ? domain : name
            case "path": path = value.hasPrefix("/") ? value : nil
            case "expires": expires = CookieDate.date(value) ?? expires
            case "max-age":
                guard let seconds = Int64(value) else { break }
                maxAge = seconds <= 0 ? .distantPast : now.addingTimeInterval(TimeInterval(seconds))
            case "secure": isSecure = true
            default: break
            }
        }
        expires = maxAge ?? expires
    }
}
