/// Names a kind of content, such as `application/json` (RFC 9110 §8.3.1).
public struct MediaType: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The type as it is sent, with its parameters.
    public let rawValue: String

    /// Makes a type from any text, such as `"image/png"`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a type from any text, such as `"image/png"`.
    public init(_ text: String) { rawValue = text }

    /// Makes a type from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// `application/json`.
    public static let json = MediaType("application/json")
    /// `text/plain; charset=utf-8`.
    public static let text = MediaType("text/plain; charset=utf-8")
    /// `text/html; charset=utf-8`.
    public static let html = MediaType("text/html; charset=utf-8")
    /// `application/x-www-form-urlencoded`.
    public static let form = MediaType("application/x-www-form-urlencoded")
    /// `application/octet-stream`.
    public static let octetStream = MediaType("application/octet-stream")
    /// `*/*`: any kind.
    public static let any = MediaType("*/*")

    /// The type without parameters, in lower case.
    public var essence: String {
        (rawValue.split(separator: ";").first ?? "").trimmingCharacters(in: .whitespaces).lowercased()
    }

    /// Gives the value of a parameter such as `charset`, without its quotes.
    public func parameter(_ name: String) -> String? {
        for part in rawValue.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2, pair[0].isSameFieldName(as: name) else { continue }
            return pair[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        }
        return nil
    }

    /// The encoding that `charset` names, or nil if there is none or it is not known.
    var textEncoding: String.Encoding? {
        switch parameter("charset")?.lowercased() {
        case "utf-8", "utf8": .utf8
        case "us-ascii", "ascii": .ascii
        case "iso-8859-1", "latin1": .isoLatin1
        case "iso-8859-2", "latin2": .isoLatin2
        case "windows-1250": .windowsCP1250
        case "windows-1251": .windowsCP1251
        case "windows-1252": .windowsCP1252
        case "utf-16": .utf16
        case "utf-16be": .utf16BigEndian
        case "utf-16le": .utf16LittleEndian
        case "utf-32": .utf32
        case "shift_jis": .shiftJIS
        case "euc-jp": .japaneseEUC
        case "iso-2022-jp": .iso2022JP
        default: nil
        }
    }

    /// The type as it is sent.
    public var description: String { rawValue }
}
