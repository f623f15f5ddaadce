/// One line of a comparison.
struct Comparison {
    let aspect: String
    let expected: String
    let actual: String
    let isEqual: Bool

    /// Returns the lines of a table with a title for each side, indented.
    static func table(_ rows: [Comparison], left: String, right: String, indent: String = "    ") -> [String] {
        let title = Comparison(aspect: "", expected: left, actual: right, isEqual: true)
        let aspects = rows.map(\.aspect.count).max() ?? 0
        let width = ([title] + rows).map(\.expected.count).max() ?? 0
        return ([title] + rows).map { row in
            let line = indent + row.aspect.padded(to: aspects + 2) + row.expected.padded(to: width)
            return line + (row.isEqual ? "   " : " ≠ ") + row.actual
        }
    }
}

extension String {
    /// Returns the text padded with spaces to a length.
    func padded(to length: Int) -> String { self + String(repeating: " ", count: max(0, length - count)) }
}
