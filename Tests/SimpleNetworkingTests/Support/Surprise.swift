/// Reports what a test got instead of the expected result.
struct Surprise: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
