import SimpleNetworkingSupport

/// Decodes and encodes `application/x-www-form-urlencoded` text, as in queries and fragments.
struct FormURLEncoding {
    private let pairs: [(name: String, value: String)]

    /// Decodes the text after `?` or `#`; undecodable names and values stay unchanged.
    init(_ text: String?) {
        pairs = (text ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decode(parts[0]), parts.count == 2 ? Self.decode(parts[1]) : "")
        }
    }

    /// The value of the first pair with the given name, unless it is empty.
    subscript(name: String) -> String? {
        pairs.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// Returns the values of the pairs with these names.
    func members(named names: [String]) -> JSONMembers {
        JSONMembers(Dictionary(names.compactMap { name in self[name].map { (name, $0) } }) { first, _ in first })
    }

    /// Returns the number of pairs with the given name.
    func count(of name: String) -> Int { pairs.filter { $0.name == name }.count }

    /// Encodes everything except the unreserved characters of RFC 3986.
    static func percentEncode(_ text: String) -> String {
        PercentEncoding.encode(text, keeping: PercentEncoding.unreserved)
    }

    /// Encodes text as RFC 6749 appendix B requires, except that a space becomes `%20`.
    ///
    /// Servers that decode a form also read `%20` as a space, whereas servers that only undo percent-encoding would
    /// keep a `+`.
    static func formEncode(_ text: String) -> String {
        percentEncode(text).replacingAll("~", with: "%7E")
    }

    private static func decode(_ text: Substring) -> String {
        let spaced = text.replacingAll("+", with: " ")
        return spaced.percentDecoded ?? spaced
    }
}
