#if os(Linux)
    import Foundation
    import Testing

    @testable import SimpleNetworkingSupport

    /// The C library's encodings, which serve programs without full Foundation, compared with Foundation's.
    @Suite
    struct SystemEncodingTests {
        /// The encodings of one byte for each character that both have: the rows of the table with a number.
        private static let names = TextEncoding.table.split(separator: "\n").map { String($0.split(separator: " ")[0]) }

        @Test(
            arguments: names.filter { $0.hasPrefix("ISO-8859") || $0.hasPrefix("windows-125") || $0.hasPrefix("KOI8") }
        )
        func aByteMeansTheSameLetter(name: String) throws {
            // A table of the web's own.
            guard name != "windows-1252" else { return }
            var compared = 0
            for byte in UInt8(0x20)...0xFF where !(0x7F...0x9F).contains(byte) || !name.hasPrefix("ISO") {
                guard let ours = SystemEncoding.text(of: Data([byte]), in: name) else { continue }
                guard let theirs = TextEncoding.text(of: Data([byte]), label: name) else { continue }
                let isKnown = Self.differences[name]?.contains(byte) == true
                #expect(ours == theirs || isKnown, "\(name) \(String(byte, radix: 16)): \(ours) \(theirs)")
                compared += 1
            }
            #expect(compared > 140, "\(name)")
        }

        /// Letters that `TextEncoding` replaces afterwards.
        private static let differences: [String: Set<UInt8>] = ["KOI8-U": [0xAE, 0xBE]]

        @Test(arguments: [
            ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B] as [UInt8], "日本"), ("EUC-JP", [0xC6, 0xFC, 0xCB, 0xDC], "日本"),
            ("GBK", [0xD6, 0xD0, 0xCE, 0xC4], "中文"), ("gb18030", [0xD6, 0xD0, 0x81, 0x30, 0x84, 0x36], "中¥"),
            ("Big5", [0xA4, 0xA4, 0xA4, 0xE5], "中文"), ("EUC-KR", [0xC7, 0xD1, 0xB1, 0xDB], "한글"),
            ("ISO-2022-JP", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], "日"),
            ("IBM866", [0x8C, 0xA8, 0xE0], "Мир"),
            ("macintosh", [0x8E], "é"), ("x-mac-cyrillic", [0x8C], "М"), ("windows-874", [0xA1], "ก"),
        ])
        func textIsRead(name: String, bytes: [UInt8], expected: String) {
            #expect(SystemEncoding.text(of: Data(bytes), in: name) == expected)
        }

        @Test
        func whatIsInvalidIsNotRead() {
            #expect(SystemEncoding.text(of: Data([0x93]), in: "Shift_JIS") == nil)
            #expect(SystemEncoding.text(of: Data([0x41]), in: "no such encoding") == nil)
        }
    }
#endif
