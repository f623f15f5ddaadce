import SimpleNetworkingFeatureSupport

extension HTTPDate {
    /// Reads the same three forms, but nothing similar, such as `UTC` instead of `GMT` (RFC 9111 §5.3).
    static func strictDate(_ text: String, now: Date = Date()) -> Date? {
        // “a” for each letter after the weekday, and 0 for each digit.
        let shape = text.utf8.drop { ByteSet.letters.contains($0) }.map { byte in
            if ByteSet.digits.contains(byte) { return UInt8(ascii: "0") }
            return ByteSet.letters.contains(byte) ? UInt8(ascii: "a") : byte
        }
        switch String(decoding: shape, as: UTF8.self) {
        case ", 00 aaa 0000 00:00:00 aaa", ", 00-aaa-00 00:00:00 aaa":
            return String(text.suffix(3)).isSameFieldName(as: "GMT") ? date(text, now: now) : nil
        case " aaa 00 00:00:00 0000", " aaa  0 00:00:00 0000": return date(text, now: now)
        default: return nil
        }
    }
}
