import SimpleNetworkingSupport

/// Names a media type, such as `application/json` (RFC 9110 §8.3.1).
public struct MediaType: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, Described {
    /// The type as it is sent, with its parameters.
    public let rawValue: String

    /// Creates a type from any string, such as `"image/png"`.
    public init(rawValue: String) { self.rawValue = rawValue }

    package init(_ text: String) { rawValue = text }

    /// Creates a type from a literal.
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

    /// The type without parameters, in lowercase.
    package var essence: String { MediaTypeParts(rawValue).essence }

    /// Returns the first value of a parameter such as `charset`, without quotes and escapes; nil if not present.
    package func parameter(_ name: String) -> String? { MediaTypeParts(rawValue)[name] }

    /// The type as it is sent.
    package var shownText: String { rawValue }
}
