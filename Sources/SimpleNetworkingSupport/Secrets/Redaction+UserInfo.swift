/// Hides a URL's user info, such as `ada:password`, even if the URL's scheme is missing or misspelled.
extension Redaction {
    /// Returns text with the user info of each URL in it hidden.
    package static func hidingUsers(in text: String) -> String {
        guard text.contains(anyOf: "@") else { return text }
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let user = user(afterSlashesAt: index, in: bytes) {
                output += bytes[index..<user.lowerBound]
                output += mark.utf8
                index = user.upperBound
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return output.elementsEqual(bytes) ? text : String(decoding: output, as: UTF8.self)
    }

    /// Returns the user info after the slashes that begin at an index of any text; nil if there is none.
    ///
    /// After a single slash, as in `http:/ada:password@host`, user info has a colon.
    static func user(afterSlashesAt start: Int, in bytes: [UInt8]) -> Range<Int>? {
        guard slashes.contains(bytes[start]), start == 0 || !slashes.contains(bytes[start - 1]) else { return nil }
        let run = bytes[start...].prefix { slashes.contains($0) }
        let isSingle = run.count == 1
        if isSingle, start == 0 || bytes[start] != UInt8(ascii: "/") || bytes[start - 1] != UInt8(ascii: ":") {
            return nil
        }
        let authority = bytes[run.endIndex...].prefix { !textEnds.contains($0) }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")), at > authority.startIndex,
            !isSingle || authority[..<at].contains(UInt8(ascii: ":"))
        else { return nil }
        return authority.startIndex..<at
    }

    /// Returns the user info after the slashes in a string that is a URL or was meant to be one; nil if there is none.
    static func user(inURL bytes: [UInt8]) -> Range<Int>? {
        let last = bytes.lastIndex(of: UInt8(ascii: "@"))
        let head = bytes.prefix { !queryStarts.contains($0) }
        let first = head.firstIndex { slashes.contains($0) } ?? head.endIndex
        var start = first
        while start < head.endIndex {
            let run = head[start...].prefix { slashes.contains($0) }
            let followsScheme = start > 0 && head[start - 1] == UInt8(ascii: ":")
            var end = run.endIndex
            if run.count > 1 || followsScheme {
                // A backslash ends the authority for browsers, and doesn't in RFC 3986.
                let authority = head[run.endIndex...].prefix { $0 != UInt8(ascii: "/") }
                if let at = authority.lastIndex(of: UInt8(ascii: "@")) { return authority.startIndex..<at }
                // A password may contain a character that would end the authority.
                if start == first, let port = malformedPort(in: authority) {
                    if let last, last >= authority.startIndex { return authority.startIndex..<last }
                    if run.count > 1, followsScheme || start == 0 { return port }
                }
                // What has no “@” as a whole has none in its parts.
                end = authority.endIndex
            }
            start = head[end...].firstIndex { slashes.contains($0) } ?? head.endIndex
        }
        return nil
    }

    /// Hides the user info in a path's segment, as in `ada:password@host` and `http:ada:password@host`.
    ///
    /// A path without a scheme is appended to the base URL.
    static func hidingUser(inSegment segment: Substring) -> Substring {
        guard let at = segment.lastIndex(ofAny: "@"), let colon = segment[..<at].firstIndex(ofAny: ":") else {
            return segment
        }
        let scheme = segment[..<colon].lowercased()
        if opaqueSchemes.contains(scheme) { return segment }
        return (webSchemes.contains(scheme) ? segment[...colon] : "") + mark + segment[at...]
    }

    private static func malformedPort(in authority: ArraySlice<UInt8>) -> Range<Int>? {
        let end = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        guard let colon = authority[end...].lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let port = authority[(colon + 1)...]
        return port.allSatisfy { ByteSet.digits.contains($0) } ? nil : port.indices
    }

    private static let slashes = ByteSet("/\\")
    private static let queryStarts = ByteSet("?#")
    /// What ends an authority within other text.
    private static let textEnds = ByteSet("/?#\"'<>\\ \t\r\n")
    private static let webSchemes: Set<String> = ["http", "https", "ws", "wss", "ftp"]
    /// The schemes of addresses, whose part before “@” is no user info.
    private static let opaqueSchemes: Set<String> = [
        "mailto", "sip", "sips", "xmpp", "acct", "im", "cid", "mid", "urn",
    ]
}
