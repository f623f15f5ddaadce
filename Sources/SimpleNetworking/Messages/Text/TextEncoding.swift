/// An encoding of text, found by the labels that the web gives it (WHATWG Encoding §4.2).
struct TextEncoding: Sendable {
    /// How the bytes are read.
    enum Form: Sendable {
        case utf8
        case utf16(String.Encoding)
        /// By Foundation, under Core Foundation's number: those are alike on all platforms.
        case foundation(UInt)
        case windows1252
        case koi8U
        case japaneseEUC
        case userDefined
        /// Not at all: a label that the web knows and gives no encoding, since it was used for attacks.
        case unreadable
    }

    /// The name that the standard gives it.
    let name: String
    private let form: Form

    /// Finds an encoding by any of its labels, such as `latin1` or ` UTF8 `; nil if nothing has that label.
    init?(label: String) {
        let key = label.trimmingCharacters(in: CharacterSet(charactersIn: " \t\n\u{C}\r")).lowercased()
        guard let encoding = Self.encodings[key] else { return nil }
        self = encoding
    }

    private init(_ name: String, _ form: Form) { (self.name, self.form) = (name, form) }

    private static let encodings: [String: TextEncoding] = {
        let pairs = table.flatMap { name, form, labels in
            labels.split(separator: " ").map { (String($0), TextEncoding(name, form)) }
        }
        return Dictionary(pairs) { first, _ in first }
    }()

    /// Reads content as text: by its byte order mark, else in the encoding that the label names, else as UTF-8.
    ///
    /// - Returns: The text without the mark, or nil if the bytes are no such text.
    static func text(of data: Data, label: String?) -> String? {
        if data.starts(with: [0xEF, 0xBB, 0xBF]) { return Form.utf8.text(of: data.dropFirst(3)) }
        if data.starts(with: [0xFE, 0xFF]) { return Form.utf16(.utf16BigEndian).text(of: data.dropFirst(2)) }
        if data.starts(with: [0xFF, 0xFE]) { return Form.utf16(.utf16LittleEndian).text(of: data.dropFirst(2)) }
        return (label.flatMap { TextEncoding(label: $0) }?.form ?? .utf8).text(of: data)
    }
}

extension TextEncoding.Form {
    fileprivate func text(of data: Data) -> String? {
        switch self {
        case .utf8: String(data: data, encoding: .utf8)
        // Foundation would leave half a unit out.
        case .utf16(let encoding): data.count.isMultiple(of: 2) ? String(data: data, encoding: encoding) : nil
        case .foundation(let number): String(data: data, encoding: .coreFoundation(number))
        case .windows1252: data.text { Self.windows1252High[Int($0) - 0x80] }
        case .koi8U:
            // Foundation takes two of the letters for the frames of KOI8-R.
            String(data: data, encoding: .coreFoundation(0xA08))?
                .replacingOccurrences(of: "\u{255D}", with: "\u{45E}")
                .replacingOccurrences(of: "\u{256C}", with: "\u{40E}")
        case .japaneseEUC:
            #if canImport(Darwin)
                String(data: data, encoding: .japaneseEUC)
            #else
                // Foundation reads none of it here, but all of ISO-2022-JP-2, which has the same characters.
                JapaneseEUC.iso2022(data).flatMap { String(data: $0, encoding: .coreFoundation(0x821)) }
            #endif
        case .userDefined: data.text { 0xF780 + UInt16($0) - 0x80 }
        case .unreadable: nil
        }
    }

    /// What 0x80 and up stand for; not by Foundation, which refuses five of them.
    private static let windows1252High: [UInt16] =
        [
            0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D,
            0x17D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A,
            0x153, 0x9D, 0x17E, 0x178,
        ] + Array(0xA0...0xFF)
}

extension Data {
    /// Reads one character a byte: ASCII, and beyond that what a table says.
    fileprivate func text(high: (UInt8) -> UInt16) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(count)
        for byte in self { units.append(byte < 0x80 ? UInt16(byte) : high(byte)) }
        return String(decoding: units, as: UTF16.self)
    }
}

extension String.Encoding {
    /// Core Foundation's encodings have their numbers above this bit.
    fileprivate static func coreFoundation(_ number: UInt) -> String.Encoding {
        String.Encoding(rawValue: 0x8000_0000 | number)
    }
}
