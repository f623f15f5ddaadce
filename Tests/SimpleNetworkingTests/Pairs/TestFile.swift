import Foundation

/// A file of tests, as the table of pairs reads it: relying on the layout that swift-format gives a file.
struct TestFile {
    /// A test's source.
    struct Test {
        /// The test's arguments, each of which is a case of its own.
        let arguments: Substring
        /// The rest of the test, with the helpers of its file that it uses.
        let text: String
    }

    /// A function, a property or a type.
    private struct Declaration {
        let text: String
        let names: Set<Substring>
        let words: Set<Substring>

        init(_ lines: [Substring], at indent: Int) {
            text = lines.joined(separator: "\n")
            names = Set(lines.filter { TestFile.indent(of: $0) == indent }.flatMap(TestFile.names))
            words = Set(text.split { !TestFile.isOfWord($0) })
        }
    }

    /// The tests, by names such as `CacheTests.aResponseIsStored`.
    private(set) var tests: [String: Test] = [:]

    init(_ text: String) {
        var helpers: [Declaration] = []
        var found: [(name: String, text: String)] = []
        let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        for lines in Self.declarations(in: lines, at: 0) {
            guard lines.contains(where: { $0.hasPrefix("    @Test") }),
                let head = lines.firstIndex(where: { !$0.hasPrefix("@") }),
                let suite = Self.names(in: lines[head]).first
            else {
                helpers.append(Declaration(lines, at: 0))
                continue
            }
            for lines in Self.declarations(in: Array(lines[(head + 1)...]), at: 4) {
                let declaration = Declaration(lines, at: 4)
                if lines.contains(where: { $0.hasPrefix("    @Test") }), let name = declaration.names.first {
                    found.append(("\(suite).\(name)", declaration.text))
                } else {
                    helpers.append(declaration)
                }
            }
        }
        for (name, text) in found { tests[name] = Self.test(text, with: helpers) }
    }

    /// Returns a test together with the helpers that it uses, and those that they use.
    private static func test(_ text: String, with helpers: [Declaration]) -> Test {
        var (arguments, rest) = (Substring(), text)
        if let start = text.range(of: "arguments:"),
            let end = text.range(of: "func ", range: start.upperBound..<text.endIndex)
        {
            arguments = text[start.upperBound..<end.lowerBound]
            rest = String(text[..<start.lowerBound]) + text[end.lowerBound...]
        }
        var words = Set(text.split { !isOfWord($0) }).union(["init"])
        var unused = helpers
        while let next = unused.firstIndex(where: { !$0.names.isDisjoint(with: words) }) {
            let helper = unused.remove(at: next)
            rest += "\n" + helper.text
            words.formUnion(helper.words)
        }
        return Test(arguments: arguments, text: rest)
    }

    /// Divides lines into the declarations at an indent, each with its attributes.
    private static func declarations(in lines: [Substring], at indent: Int) -> [[Substring]] {
        var declarations: [[Substring]] = []
        var isAttribute = false
        for line in lines {
            let first = line.dropFirst(indent).first
            if self.indent(of: line) == indent, let first, !")]}".contains(first) {
                if !isAttribute { declarations.append([]) }
                declarations[declarations.count - 1].append(line)
                isAttribute = first == "@" && names(in: line).isEmpty
            } else if !declarations.isEmpty {
                declarations[declarations.count - 1].append(line)
            }
        }
        return declarations
    }

    /// The names that a line declares.
    private static func names(in line: Substring) -> [Substring] {
        let words = line.prefix { $0 != "=" && $0 != ":" }.split { !isOfWord($0) }
        let keywords: Set<Substring> = ["func", "struct", "class", "enum", "actor", "extension", "let", "var", "init"]
        guard let keyword = words.firstIndex(where: keywords.contains) else { return [] }
        switch words[keyword] {
        case "init": return ["init"]
        case "let", "var": return Array(words[(keyword + 1)...])
        default: return Array(words[(keyword + 1)...].prefix(1))
        }
    }

    private static func indent(of line: Substring) -> Int { line.prefix { $0 == " " }.count }

    private static func isOfWord(_ character: Character) -> Bool {
        character == "_" || character.isASCII && (character.isLetter || character.isNumber)
    }
}
