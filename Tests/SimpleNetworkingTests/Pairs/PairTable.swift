import Foundation

/// The table of pairs: which test holds which two features of a request's way together.
struct PairTable {
    /// A feature, and the code by which a test shows it.
    struct Feature {
        let name: String
        let words: [String]
        /// What shows it among a test's arguments.
        let arguments: [String]

        func isShown(by test: TestFile.Test) -> Bool { words.contains { test.text.contains($0) } }

        func isArgument(of test: TestFile.Test) -> Bool {
            (words + arguments).contains { word in
                test.arguments.ranges(of: word).contains { range in
                    // `.page` isn't shown by `.pages`.
                    test.arguments[range.upperBound...].first?.isLetter != true || word.hasSuffix("(")
                }
            }
        }
    }

    /// A line of the table.
    private struct Row {
        let features: [String]
        /// The tests that hold them together; nil if they can't meet.
        let tests: [String]?
    }

    private(set) var features: [Feature] = []
    private var rows: [Row] = []
    /// What couldn't be read.
    private var mistakes: [String] = []

    init(_ text: String) {
        var section = Substring()
        var hasReason = false
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " = ", maxSplits: 1).map(String.init)
            let pair = parts[0].components(separatedBy: " × ")
            switch (section, parts.count, pair.count) {
            case _ where line.hasPrefix("["):
                section = line
                hasReason = false
            case ("[features]", 2, 1):
                let words = parts[1].components(separatedBy: " | ").map { $0.components(separatedBy: ", ") }
                features.append(Feature(name: parts[0], words: words[0], arguments: words.count > 1 ? words[1] : []))
            case ("[apart]", 1, 2) where hasReason: rows.append(Row(features: pair, tests: nil))
            case ("[apart]", 1, 1): hasReason = true
            case ("[together]", 2, 2):
                rows.append(Row(features: pair, tests: parts[1].components(separatedBy: ", ")))
            default: mistakes.append("can't be read: \(line)")
            }
        }
    }

    /// The names of the suites whose tests the table names.
    var suites: Set<String> {
        Set(rows.flatMap { $0.tests ?? [] }.map { String($0.prefix { $0 != "." }) })
    }

    /// What is wrong with the table, for these tests.
    func problems(with tests: [String: TestFile.Test]) -> [String] {
        let known = Dictionary(features.map { ($0.name, $0) }) { first, _ in first }
        var problems = mistakes
        if known.count < features.count { problems.append("a feature is listed twice") }
        var counts: [Set<String>: Int] = [:]
        for row in rows {
            let name = row.features.joined(separator: " × ")
            guard let first = known[row.features[0]], let second = known[row.features[1]], first.name != second.name
            else {
                problems.append("\(name): no two features of the list")
                continue
            }
            counts[Set(row.features), default: 0] += 1
            for test in row.tests ?? [] {
                guard let source = tests[test] else {
                    problems.append("\(name): there is no test \(test)")
                    continue
                }
                problems += Self.missing(first, second, in: source).map { "\(name): \(test) doesn't show \($0)" }
            }
        }
        for (index, first) in features.enumerated() {
            for second in features[(index + 1)...] {
                let count = counts[[first.name, second.name]] ?? 0
                if count != 1 { problems.append("\(first.name) × \(second.name) is there \(count) times") }
            }
        }
        return problems
    }

    /// Returns which of two features a test doesn't hold together with the other.
    ///
    /// Each argument is a case of its own, so two arguments don't meet.
    private static func missing(_ first: Feature, _ second: Feature, in test: TestFile.Test) -> [String] {
        let features = [first, second]
        let unshown = features.filter { !$0.isShown(by: test) }
        let missing = unshown.filter { !$0.isArgument(of: test) }
        if missing.isEmpty, unshown.count == 2 { return ["\(first.name) and \(second.name) in one case"] }
        return missing.map(\.name)
    }
}
