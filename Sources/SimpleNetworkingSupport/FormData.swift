/// The syntax of `multipart/form-data` content (RFC 7578).
package enum FormData {
    /// Tells whether a text separates parts as every server understands it.
    package static func isBoundary(_ text: String) -> Bool {
        (1...70).contains(text.utf8.count) && text.utf8.allSatisfy(boundaryBytes.contains)
    }

    /// The header fields of a part, without the empty line after them.
    package static func head(name: String, filename: String?, type: String?) -> String {
        var head = "Content-Disposition: form-data; name=\"\(escaped(name))\""
        if let filename {
            head += "; filename=\"\(escaped(filename))\""
            // For servers that read the plain form as Latin-1 (RFC 8187).
            if filename.utf8.contains(where: { $0 > 0x7F }) {
                head += "; filename*=UTF-8''" + PercentEncoding.encode(filename, keeping: attributeBytes)
            }
        }
        if let type { head += "\r\nContent-Type: \(type)" }
        return head
    }

    /// Quotes and line breaks would end the name (WHATWG HTML, multipart/form-data encoding algorithm).
    private static func escaped(_ name: String) -> String {
        var escaped = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": escaped += "%22"
            case "\r": escaped += "%0D"
            case "\n": escaped += "%0A"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static let attributeBytes = ByteSet.lettersAndDigits.union(ByteSet("!#$&+-.^_`|~"))
    private static let boundaryBytes = ByteSet.lettersAndDigits.union(ByteSet("-._"))
}
