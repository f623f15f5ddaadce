/// Tells which hosts belong to a cookie's domain (RFC 6265 §5.1.3).
enum CookieDomain {
    static func matches(_ host: String, _ domain: String) -> Bool {
        host == domain || (host.hasSuffix("." + domain) && !isAddress(host))
    }

    static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.split(separator: ".").last?.allSatisfy(\.isNumber) == true
    }

    /// Tells whether strangers share the domain, such as `com` and `co.uk`.
    ///
    /// The public suffix list is far longer, and no part of the library: this knows the names under which countries
    /// usually register others.
    static func isPublicSuffix(_ domain: String) -> Bool {
        let labels = domain.split(separator: ".")
        guard labels.count == 2, labels[1].count == 2 else { return labels.count < 2 }
        return registries.contains(String(labels[0]))
    }

    private static let registries: Set = [
        "ac", "ad", "asn", "asso", "biz", "co", "com", "ed", "edu", "firm", "gen", "go", "gob", "gouv", "gov", "govt",
        "gr",
        "id", "ind", "info", "lg", "ltd", "me", "mil", "name", "ne", "net", "nhs", "nic", "nom", "or", "org", "plc",
        "police",
        "res", "sch", "school", "web",
    ]
}
