/// The line of a test that a failure is attributed to.
package struct SourcePlace: Sendable {
    /// The module and the file, such as `AppTests/StoreTests.swift`.
    package let fileID: StaticString
    /// The full path of the file.
    package let filePath: StaticString
    package let line: UInt
    package let column: UInt

    init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

    /// The file without its folder, and the line.
    var text: String {
        let file = "\(fileID)".split(separator: "/").last ?? ""
        return "\(file):\(line)"
    }
}

/// A failure of the test kit that knows the user's line.
///
/// Test libraries mark the start of a test that threw. The text therefore names the line, and ``StubScope`` lets test
/// libraries mark it.
package protocol PlacedFailure: Error, CustomStringConvertible {
    /// The line; nil if no line of a test caused the failure.
    var place: SourcePlace? { get }
    /// The problem, without the line.
    var text: String { get }
}

extension PlacedFailure {
    /// The line and the problem.
    package var description: String { place.map { "\($0.text): \(text)" } ?? text }
}
