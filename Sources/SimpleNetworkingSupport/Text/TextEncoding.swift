/// A text encoding, found by its web labels (WHATWG Encoding §4.2).
package struct TextEncoding: Sendable {
    /// The name in the standard.
    package let name: String
    /// Core Foundation's number, which is the same on all platforms; nil if Foundation can't read the encoding.
    package let number: UInt?

    /// Finds an encoding by any of its labels, such as `latin1` or ` UTF8 `; nil if no encoding has that label.
    package init?(label: String) {
        let key = label[...].trimmed(of: " \t\n\u{C}\r").lowercased()
        guard let encoding = Self.encodings[key] else { return nil }
        self = encoding
    }

    private init(name: String, number: UInt?) {
        self.name = name
        self.number = number
    }

    /// Reads content as text: by its byte order mark, or else in the encoding with this label, or else as UTF-8.
    ///
    /// - Returns: The text without the mark; nil if the bytes are not valid in that encoding.
    package static func text(of data: Data, label: String?) -> String? {
        if data.starts(with: [0xEF, 0xBB, 0xBF]) { return String(data: data.dropFirst(3), encoding: .utf8) }
        let encoding = label.flatMap { TextEncoding(label: $0) }
        // UTF-16 has the same mark, but its text does not begin with a NUL.
        if data.starts(with: [0xFF, 0xFE, 0, 0]), encoding?.name.hasPrefix("UTF-16") != true {
            return utf32(data.dropFirst(4), isBigEndian: false)
        }
        if data.starts(with: [0, 0, 0xFE, 0xFF]) { return utf32(data.dropFirst(4), isBigEndian: true) }
        if data.starts(with: [0xFE, 0xFF]) { return utf16(data.dropFirst(2), .utf16BigEndian) }
        if data.starts(with: [0xFF, 0xFE]) { return utf16(data.dropFirst(2), .utf16LittleEndian) }
        return encoding == nil ? String(data: data, encoding: .utf8) : encoding?.text(of: data)
    }

    private func text(of data: Data) -> String? {
        switch name {
        case "UTF-8": String(data: data, encoding: .utf8)
        case "UTF-16BE": Self.utf16(data, .utf16BigEndian)
        case "UTF-16LE": Self.utf16(data, .utf16LittleEndian)
        case "UTF-32BE": Self.utf32(data, isBigEndian: true)
        case "UTF-32LE": Self.utf32(data, isBigEndian: false)
        case "windows-1252": data.text { Self.windows1252High[Int($0) - 0x80] }
        case "x-user-defined": data.text { 0xF780 + UInt16($0) - 0x80 }
        case "KOI8-U":
            // Foundation reads two of the letters as the box-drawing characters of KOI8-R.
            foundationText(of: data)?
                .replacingAll("\u{255D}", with: "\u{45E}")
                .replacingAll("\u{256C}", with: "\u{40E}")
        case "EUC-JP":
            #if canImport(Darwin)
                String(data: data, encoding: .japaneseEUC)
            #else
                // Foundation can't read the encoding here, but reads ISO-2022-JP-2, which has the same characters.
                Platform.foundation == nil
                    ? foundationText(of: data) : JapaneseEUC.iso2022(data).flatMap { foundationText(of: $0) }
            #endif
        default: foundationText(of: data)
        }
    }

    private static func utf16(_ data: Data, _ encoding: String.Encoding) -> String? {
        // Foundation would omit half a unit.
        data.count.isMultiple(of: 2) ? String(data: data, encoding: encoding) : nil
    }

    /// Reads four bytes for each character, which Foundation reads differently on each platform.
    private static func utf32(_ data: Data, isBigEndian: Bool) -> String? {
        guard data.count.isMultiple(of: 4) else { return nil }
        var text = String.UnicodeScalarView()
        var value: UInt32 = 0
        for (index, byte) in data.enumerated() {
            value = isBigEndian ? value << 8 | UInt32(byte) : value >> 8 | UInt32(byte) << 24
            guard index % 4 == 3 else { continue }
            guard let scalar = Unicode.Scalar(value) else { return nil }
            text.append(scalar)
        }
        return String(text)
    }

    private func foundationText(of data: Data) -> String? {
        guard let number else { return nil }
        if let foundation = Platform.foundation { return foundation.text(of: data, encoding: number) }
        #if os(Linux)
            return SystemEncoding.text(of: data, in: name)
        #else
            return nil
        #endif
    }

    /// The characters from 0x80 on; five bytes of windows-1252 are control characters on the web.
    private static let windows1252High: [UInt16] =
        [
            0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D,
            0x17D, 0x8F,
            0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D,
            0x17E, 0x178,
        ] + (0xA0...0xFF)

    private static let encodings: [String: TextEncoding] = {
        var encodings: [String: TextEncoding] = [:]
        for line in table.pieces(between: "\n") {
            let words = line.pieces(between: " ").map(String.init)
            let encoding = TextEncoding(name: words[0], number: Int(words[1], radix: 16).map(UInt.init))
            for label in words.dropFirst(2) { encodings[label] = encoding }
        }
        return encodings
    }()

    /// Each encoding's name, Core Foundation's number and labels, and UTF-32, which is no longer a web standard.
    ///
    /// “replacement”, whose labels were used for attacks, never decodes text.
    package static let table = """
        UTF-8 - unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8
        IBM866 41B 866 cp866 csibm866 ibm866
        ISO-8859-2 202 csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
        ISO-8859-3 203 csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
        ISO-8859-4 204 csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
        ISO-8859-5 205 csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
        ISO-8859-6 206 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
        ISO-8859-7 207 csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek
        ISO-8859-8 208 csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual
        ISO-8859-8-I 208 csiso88598i iso-8859-8-i logical
        ISO-8859-10 20A csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6
        ISO-8859-13 20D iso-8859-13 iso8859-13 iso885913
        ISO-8859-14 20E iso-8859-14 iso8859-14 iso885914
        ISO-8859-15 20F csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9
        ISO-8859-16 210 iso-8859-16
        KOI8-R A02 cskoi8r koi koi8 koi8-r koi8_r
        KOI8-U A08 koi8-ru koi8-u
        macintosh 0 csmacintosh mac macintosh x-mac-roman
        windows-874 41D dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874
        windows-1250 501 cp1250 windows-1250 x-cp1250
        windows-1251 502 cp1251 windows-1251 x-cp1251
        windows-1252 - ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252
        windows-1253 503 cp1253 windows-1253 x-cp1253
        windows-1254 504 cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254
        windows-1255 505 cp1255 windows-1255 x-cp1255
        windows-1256 506 cp1256 windows-1256 x-cp1256
        windows-1257 507 cp1257 windows-1257 x-cp1257
        windows-1258 508 cp1258 windows-1258 x-cp1258
        x-mac-cyrillic 7 x-mac-cyrillic x-mac-ukrainian
        GBK 632 chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk
        gb18030 632 gb18030
        Big5 A06 big5 big5-hkscs cn-big5 csbig5 x-x-big5
        EUC-JP 821 cseucpkdfmtjapanese euc-jp x-euc-jp
        ISO-2022-JP 820 csiso2022jp iso-2022-jp
        Shift_JIS A01 csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis
        EUC-KR 422 cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
        replacement - csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement
        UTF-16BE - unicodefffe utf-16be
        UTF-16LE - csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le
        x-user-defined - x-user-defined
        UTF-32BE - utf-32 utf-32be
        UTF-32LE - utf-32le
        """
}

extension Data {
    /// Reads one character for each byte: ASCII, and a table's characters from 0x80 on.
    fileprivate func text(high: (UInt8) -> UInt16) -> String {
        String(decoding: map { $0 < 0x80 ? UInt16($0) : high($0) }, as: UTF16.self)
    }
}

#if !canImport(Darwin)
    /// Converts EUC-JP where Foundation does not support it.
    private enum JapaneseEUC {
        /// Returns the text as ISO-2022-JP-2 (RFC 1554); nil if the bytes are not EUC-JP or contain escapes.
        ///
        /// It consists of the same bytes without their high bits, after escapes that name the character set.
        static func iso2022(_ data: Data) -> Data? {
            var output = Data(capacity: data.count + data.count / 2)
            var current = ascii
            var bytes = data.makeIterator()
            while let byte = bytes.next() {
                let (set, followers): ([UInt8], Int)
                switch byte {
                case 0x1B, 0x0E, 0x0F: return nil
                case 0..<0x80: (set, followers) = (ascii, 0)
                case 0x8E: (set, followers) = (katakana, 1)
                case 0x8F: (set, followers) = (jis0212, 2)
                case 0xA1...0xFE: (set, followers) = (jis0208, 1)
                default: return nil
                }
                if set != current { output.append(contentsOf: set) }
                current = set
                // These two only name the character set.
                if byte != 0x8E, byte != 0x8F { output.append(byte & 0x7F) }
                for _ in 0..<followers {
                    guard let next = bytes.next(), (0xA1...(byte == 0x8E ? 0xDF : 0xFE)).contains(next) else {
                        return nil
                    }
                    output.append(next & 0x7F)
                }
            }
            if current != ascii { output.append(contentsOf: ascii) }
            return output
        }

        private static let ascii = Array("\u{1B}(B".utf8)
        private static let katakana = Array("\u{1B}(I".utf8)
        private static let jis0208 = Array("\u{1B}$B".utf8)
        private static let jis0212 = Array("\u{1B}$(D".utf8)
    }
#endif
