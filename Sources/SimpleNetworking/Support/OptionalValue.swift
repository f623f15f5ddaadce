/// Lets an optional be opened, and made, where its type is not known.
protocol OptionalValue {
    static var empty: Self { get }
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    static var empty: Self { nil }
    var wrapped: Any? { map { $0 as Any } }
}
