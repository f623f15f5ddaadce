/// Keeps a value behind a reference, so that what is passed along is small.
final class Boxed<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
