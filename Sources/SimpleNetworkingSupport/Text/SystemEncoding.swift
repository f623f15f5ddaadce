#if os(Linux)
    /// Reads old text encodings with the C library, in programs without full Foundation.
    enum SystemEncoding {
        /// Returns text in an encoding of the web; nil if the bytes aren't valid, or if the system can't read it.
        static func text(of data: Data, in name: String) -> String? {
            if let text = convert(data, from: name) { return text }
            // On the web, a byte that such an encoding doesn't define is a control character.
            guard name.hasPrefix("windows-") else { return nil }
            let letters = data.map { byte in
                convert(Data([byte]), from: name) ?? ((0x80...0x9F).contains(byte) ? String(Unicode.Scalar(byte)) : nil)
            }
            let known = letters.compactMap(\.self)
            return known.count == letters.count ? known.joined() : nil
        }

        private static func convert(_ data: Data, from name: String) -> String? {
            let converter = iconv_open("UTF-8", systemName(of: name))
            guard converter != iconv_t(bitPattern: -1) else { return nil }
            defer { iconv_close(converter) }
            var input = data.map { CChar(bitPattern: $0) }
            // No encoding here has a byte that becomes more than four of UTF-8, and none has a longer reset.
            var output = [CChar](repeating: 0, count: input.count * 4 + 16)
            var inputLeft = input.count
            var outputLeft = output.count
            let isValid = input.withUnsafeMutableBufferPointer { input in
                output.withUnsafeMutableBufferPointer { output in
                    var source = input.baseAddress
                    var target = output.baseAddress
                    return iconv(converter, &source, &inputLeft, &target, &outputLeft) != failed
                        && iconv(converter, nil, nil, &target, &outputLeft) != failed
                }
            }
            guard isValid else { return nil }
            return String(
                bytes: output.prefix(output.count - outputLeft).map { UInt8(bitPattern: $0) },
                encoding: .utf8
            )
        }

        private static let failed = Int(bitPattern: UInt.max)

        /// The web reads some names as larger encodings of the same family.
        private static func systemName(of name: String) -> String {
            switch name {
            case "GBK": "GB18030"
            case "Big5": "BIG5-HKSCS"
            case "Shift_JIS": "CP932"
            case "EUC-KR": "CP949"
            case "ISO-8859-8-I": "ISO-8859-8"
            case "macintosh": "MACINTOSH"
            case "x-mac-cyrillic": "MAC-CYRILLIC"
            case let name where name.hasPrefix("windows-"): "CP" + name.dropFirst("windows-".count)
            default: name
            }
        }
    }
#endif
