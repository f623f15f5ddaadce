import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworkingCore

#if canImport(Glibc)
    import Glibc
#endif

@Suite(.timeLimit(.minutes(5)))
struct TextEncodingTests {
    @Test
    func everyLabelNamesOneEncoding() throws {
        let rows = TextEncoding.table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let labels = rows.flatMap { $0.dropFirst(2) }
        #expect(labels.count == 231 && Set(labels).count == 231)
        for row in rows {
            for label in row.dropFirst(2) {
                #expect(TextEncoding(label: "\t \(label.uppercased())\n")?.name == row[0])
            }
        }
        for label in ["", " ", "utf-7", "utf 8", "utf-8\u{B}", "unheard-of"] {
            #expect(TextEncoding(label: label) == nil)
        }
    }

    @Test(arguments: [
        // UTF-32 with a mark, whatever the label, and without one.
        ("FFFE0000 68000000 69F60100", nil, "h\u{1F669}"), ("0000FEFF 00000068 0001F669", nil, "h\u{1F669}"),
        ("FFFE0000 68000000", "utf-32", "h"), ("0000FEFF 00000068", "utf-32le", "h"),
        ("FFFE0000 68000000", "utf-8", "h"),
        ("00000068 000000E9", "utf-32", "hé"), ("00000068", "UTF-32BE", "h"), ("68000000", "utf-32le", "h"),
        ("FFFE0000", "utf-32", ""), ("", "utf-32", ""),
        // No characters, half a character, and UTF-16 that begins with a NUL.
        ("0000D800", "utf-32", nil), ("00110000", "utf-32", nil), ("68000000", "utf-32", nil),
        ("000000", "utf-32be", nil),
        ("FFFE0000 6800", nil, nil), ("FFFE0000 6800", "utf-16", "\0h"),
    ])
    func utf32IsReadRightOrNotAtAll(hex: String, label: String?, text: String?) {
        let digits = Array(hex.filter { $0 != " " })
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        #expect(TextEncoding.text(of: Data(bytes), label: label) == text)
    }

    @Test(arguments: ["windows-1252", "x-user-defined", "utf-8", nil])
    func asciiIsASCII(label: String?) {
        let bytes = Array(0..<0x80 as Range<UInt8>)
        #expect(TextEncoding.text(of: Data(bytes), label: label) == String(decoding: bytes, as: UTF8.self))
    }

    @Test
    func aSliceIsReadFromItsOwnBeginning() {
        let data = Data([0x41, 0xEF, 0xBB, 0xBF, 0x42]).dropFirst()
        #expect(TextEncoding.text(of: data, label: nil) == "B")
        for label in ["windows-1252", "x-user-defined", "euc-jp", "koi8-u", "utf-16le"] {
            #expect(TextEncoding.text(of: Data([0x41, 0x42, 0]).dropFirst(), label: label)?.isEmpty == false)
        }
    }

    #if canImport(Glibc)
        /// Encodings of one byte by the C library's names, and where the web reads them in another way.
        static let singles: [String: (name: String, differences: [String])] = {
            var singles: [String: (String, [String])] = [
                "IBM866": ("CP866", []), "KOI8-R": ("KOI8-R", []),
                "KOI8-U": ("KOI8-U", ["ae 45e, not 255d", "be 40e, not 256c"]),
                "macintosh": ("MACINTOSH", ["c6 2206, not 394", "f0 f8ff, not e01e"]),
                "x-mac-cyrillic": ("MAC-CYRILLIC", ["ff 20ac, not a4"]), "windows-874": ("CP874", []),
                "ISO-8859-8-I": ("ISO-8859-8", []),
            ]
            for number in [2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16] {
                singles["ISO-8859-\(number)"] = ("ISO-8859-\(number)", [])
            }
            for number in 1250...1258 { singles["windows-\(number)"] = ("CP\(number)", []) }
            return singles
        }()

        @Test(arguments: singles.keys.sorted())
        func everyByteIsReadAsTheCLibraryDoes(name: String) throws {
            let other = try #require(Self.singles[name])
            let converter = try CLibrary(other.name)
            var found: [String] = []
            for byte in UInt8.min ... .max {
                // What has no meaning there may have one here.
                guard let theirs = converter.text(of: [byte]) else { continue }
                let mine = TextEncoding.text(of: Data([byte]), label: name)
                if mine != theirs { found.append(Self.difference([byte], mine, theirs)) }
            }
            #expect(found == other.differences)
        }

        /// Encodings of two bytes by the C library's names, how many pairs it knows, and how many the web reads in
        /// another way: in Big5 some signs, and rare characters for which Foundation has private numbers.
        static let doubles: [String: (name: String, pairs: Int, differences: Int)] = [
            "gbk": ("GBK", 21_791, 0), "gb18030": ("GB18030", 23_940, 7), "euc-kr": ("UHC", 17_048, 0),
            "shift_jis": ("CP932", 9604, 0), "euc-jp": ("EUC-JP", 6942, 6), "big5": ("BIG5-HKSCS", 18_459, 45),
        ]

        @Test(arguments: doubles.keys.sorted())
        func everyPairOfBytesIsReadAsTheCLibraryDoes(label: String) throws {
            let other = try #require(Self.doubles[label])
            let converter = try CLibrary(other.name)
            var pairs = 0
            var found: [String] = []
            for first in UInt8(0x81)...0xFE {
                for second in UInt8(0x40)...0xFE {
                    guard let theirs = converter.text(of: [first, second]), theirs.unicodeScalars.count == 1 else {
                        continue
                    }
                    pairs += 1
                    let mine = TextEncoding.text(of: Data([first, second]), label: label)
                    if mine != theirs { found.append(Self.difference([first, second], mine, theirs)) }
                }
            }
            #expect(pairs == other.pairs)
            #expect(found.count == other.differences, "\(found)")
        }

        private static func difference(_ bytes: [UInt8], _ mine: String?, _ theirs: String?) -> String {
            let code = { (text: String?) in
                text.map { $0.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: "+") } ?? "none"
            }
            return bytes.map { String($0, radix: 16) }.joined() + " " + code(mine) + ", not " + code(theirs)
        }
    #endif
}

#if canImport(Glibc)
    /// The C library's own way to read an encoding.
    private final class CLibrary {
        private let converter: iconv_t

        init(_ name: String) throws {
            guard let converter = iconv_open("UTF-8", name), Int(bitPattern: converter) != -1 else {
                throw Surprise("iconv knows no \(name)")
            }
            self.converter = converter
        }

        deinit { iconv_close(converter) }

        func text(of bytes: [UInt8]) -> String? {
            var input = bytes.map { CChar(bitPattern: $0) }
            var output = [CChar](repeating: 0, count: 64)
            iconv(converter, nil, nil, nil, nil)
            return input.withUnsafeMutableBufferPointer { input in
                output.withUnsafeMutableBufferPointer { output in
                    var (source, sourceLeft) = (input.baseAddress, input.count)
                    var (target, targetLeft) = (output.baseAddress, output.count)
                    guard iconv(converter, &source, &sourceLeft, &target, &targetLeft) != -1, sourceLeft == 0,
                        iconv(converter, nil, nil, &target, &targetLeft) != -1
                    else { return nil }
                    return String(decoding: output.prefix(64 - targetLeft).map { UInt8(bitPattern: $0) }, as: UTF8.self)
                }
            }
        }
    }
#endif
