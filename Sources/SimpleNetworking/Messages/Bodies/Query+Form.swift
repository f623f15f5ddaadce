extension Query {
    /// The pairs as `application/x-www-form-urlencoded`: a space becomes `+` (WHATWG URL §5.2).
    var formEncoded: String {
        encoded { text in
            let encoded = PercentEncoding.encode(text, keeping: Self.formBytes)
            return encoded.utf8.contains(UInt8(ascii: " ")) ? encoded.replacingOccurrences(of: " ", with: "+") : encoded
        }
    }

    private static let formBytes = ByteSet.lettersAndDigits.union(ByteSet("*-._ "))
}
