/// Encodes and decodes queries and forms: pairs such as `a=b`, joined by `&`.
package enum QueryText {
    /// Encodes a name or a value for a URL.
    package static func encode(_ text: String) -> String {
        PercentEncoding.encode(text, keeping: PercentEncoding.unreserved)
    }

    /// Encodes a name or a value for `application/x-www-form-urlencoded`: a space becomes `+` (WHATWG URL §5.2).
    package static func encodeForForm(_ text: String) -> String {
        let encoded = PercentEncoding.encode(text, keeping: formBytes)
        return encoded.utf8.contains(UInt8(ascii: " ")) ? encoded.replacingAll(" ", with: "+") : encoded
    }

    private static let formBytes = ByteSet.lettersAndDigits.union(ByteSet("*-._ "))

    /// Encodes only the characters that browsers encode, and keeps characters that are already encoded.
    package static func complete(_ text: String) -> String {
        PercentEncoding.encode(text, keeping: PercentEncoding.sentQuery)
    }

    /// Returns the pairs in order, decoded, each with its original text; a pair without `=` has an empty value.
    package static func pairs(in text: String) -> [(name: String, value: String, text: Substring)] {
        text.pieces(between: "&").map { pair in
            let (name, value) = pair.parts(at: "=")
            return (decode(name), decode(value ?? ""), pair)
        }
    }

    private static func decode(_ text: Substring) -> String {
        let text = text.replacingAll("+", with: " ")
        return text.percentDecoded ?? text
    }
}
