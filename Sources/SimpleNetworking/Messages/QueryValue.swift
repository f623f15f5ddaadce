/// Says what can be the value of a query pair: text, numbers, truth values, enums of these, and arrays of these.
///
/// Conform an enum with `enum Order: String, QueryValue`: its raw value is sent.
public protocol QueryValue {
    /// The texts to send: one for a single value, none for nil, and one for each element of an array.
    var queryTexts: [String] { get }
}

extension QueryValue where Self: CustomStringConvertible {
    /// The value as text.
    public var queryTexts: [String] { [description] }
}

extension QueryValue where Self: RawRepresentable, RawValue: QueryValue {
    /// The raw value as text.
    public var queryTexts: [String] { rawValue.queryTexts }
}

extension String: QueryValue {}
extension Substring: QueryValue {}
extension Bool: QueryValue {}
extension Int: QueryValue {}
extension Int8: QueryValue {}
extension Int16: QueryValue {}
extension Int32: QueryValue {}
extension Int64: QueryValue {}
extension UInt: QueryValue {}
extension UInt8: QueryValue {}
extension UInt16: QueryValue {}
extension UInt32: QueryValue {}
extension UInt64: QueryValue {}
extension Float: QueryValue {}
extension Double: QueryValue {}
extension Decimal: QueryValue {}
extension UUID: QueryValue {}
extension URL: QueryValue {
    /// The whole address.
    public var queryTexts: [String] { [absoluteString] }
}

extension Optional: QueryValue where Wrapped: QueryValue {
    /// The value's texts, or none for nil.
    public var queryTexts: [String] { map(\.queryTexts) ?? [] }
}

extension Array: QueryValue where Element: QueryValue {
    /// The texts of each element, in order.
    public var queryTexts: [String] { flatMap(\.queryTexts) }
}
