// Strings received from or passed to a C library.

extension String {
    /// Reads a C array, which Swift imports as a tuple; nil if it is empty.
    @inlinable
    package init?(cCharacters characters: some Any) {
        self = withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if isEmpty { return nil }
    }

    /// Passes the characters in place; a `String` argument would be copied first.
    @inlinable
    package func withCharacters(_ use: (UnsafePointer<CChar>, Int) -> Bool) -> Bool {
        var text = self
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                characters.baseAddress.map { use($0, characters.count) } ?? use("", 0)
            }
        }
    }
}

#if os(Linux)
    extension UnsafeBufferPointer<UInt8> {
        /// Header bytes as a string; bytes that are not UTF-8 are Latin-1 (RFC 9110 §5.5).
        @inlinable
        package var fieldText: String {
            // Nearly all are ASCII, which needs no validation.
            if allSatisfy({ $0 < 0x80 }) { return String(decoding: self, as: UTF8.self) }
            return String(validating: self, as: UTF8.self)
                ?? String(String.UnicodeScalarView(lazy.map { Unicode.Scalar($0) }))
        }

        /// The bytes of a URL as a string; if they are not UTF-8, all that aren't ASCII are percent-encoded.
        ///
        /// A URL that is sent back must have the bytes with which the server wrote it.
        package var referenceText: String {
            if let text = String(validating: self, as: UTF8.self) { return text }
            return map { $0 < 0x80 ? String(Unicode.Scalar($0)) : "%" + String($0, radix: 16, uppercase: true) }
                .joined()
        }
    }
#endif
