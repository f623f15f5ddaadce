@testable import SimpleNetworkingCore

extension Ordinal: ExpressibleByIntegerLiteral {
    /// Makes the number that a test names.
    public init(integerLiteral value: Int) { self.init(number: value) }
}

extension Ordinal: CustomStringConvertible {
    /// The number alone.
    public var description: String { "\(number)" }
}
