extension String {
    /// The `Set-Cookie` fields that Foundation has joined to this text.
    ///
    /// It puts a comma and a space between them, and a name and `=` follow, as they never do in a date. A value that
    /// holds all of these cannot be told from two fields.
    var joinedCookies: [String] {
        var cookies: [String] = []
        var start = startIndex
        var rest = utf8[...]
        while let comma = rest.firstIndex(of: UInt8(ascii: ",")) {
            rest = rest[comma...].dropFirst()
            guard rest.first == UInt8(ascii: " ") else { continue }
            let name = rest.dropFirst().prefix { !"=,;".utf8.contains($0) }
            guard utf8[name.endIndex...].first == UInt8(ascii: "="), String(Substring(name)).isToken else { continue }
            cookies.append(String(self[start..<comma]))
            start = name.startIndex
        }
        return cookies + [String(self[start...])]
    }
}
