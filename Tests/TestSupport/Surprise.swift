/// Reports what a test got instead of the expected result.
package struct Surprise: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
