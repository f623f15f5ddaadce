import Foundation

/// A Swift file of one of the package's targets, as the architecture tests read it.
@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
package struct SourceFile {
    /// The path within the target.
    package let path: String
    package let text: String
    /// The text without comments and string literals.
    package let code: String
    /// The types that other files can name.
    package private(set) var types: [Substring] = []
    /// The members that extensions add and other files can use, with the types they are added to.
    private(set) var extensionMembers: [(type: Substring, name: Substring)] = []
    /// The words with a capital letter: names of types, and generic parameters.
    package private(set) var typeNames: Set<Substring> = []
    /// The words after a dot.
    private(set) var memberNames: Set<Substring> = []
    /// What the file declares, wherever it stands.
    private(set) var declaredNames: Set<Substring> = []

    package init(path: String, text: String) {
        self.path = path
        self.text = text
        code = text.replacing(/\/\/[^\n]*/, with: "").replacing(/"(?:[^"\\\n]|\\.)*"/, with: "\"\"")
        readDeclarations()
        readWords()
    }

    /// All Swift files of a target.
    package static func all(of target: String) throws -> [SourceFile] {
        let folder = package.appendingPathComponent("Sources/\(target)")
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(".swift") }.map { path in
            SourceFile(path: path, text: try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8))
        }
    }

    /// The package's folder.
    package static let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL

    /// The first folder of the path.
    package var room: String { String(path.prefix { $0 != "/" }) }

    package var lineCount: Int { text.split(separator: "\n", omittingEmptySubsequences: false).count }

    /// Reads the lines that declare a type, or a member within an extension.
    private mutating func readDeclarations() {
        let declaration =
            /(?:(?:public|open|package|final|indirect|@\w+) )*(class|struct|enum|actor|protocol|extension) ([A-Z]\w*)/
        let member = #/ {4}(?:(?!file|private)[a-z@]\S* )*(?:func|var|let|case|struct|enum|class|typealias) (\w+)/#
        // Types within `#if` are indented.
        let indent = text.hasPrefix("#if") ? 4 : 0
        var extended: Substring?
        for line in code.split(separator: "\n") {
            if line.hasPrefix("}") { extended = nil }
            if line.prefix(indent + 1).last != " ", let match = line.dropFirst(indent).prefixMatch(of: declaration) {
                if match.1 != "extension" {
                    types.append(match.2)
                } else if line.last != "}" {
                    extended = match.2
                }
            } else if let extended, !line.hasPrefix("     "), let match = line.prefixMatch(of: member) {
                extensionMembers.append((extended, match.1))
            }
        }
    }

    // By hand: regular expressions took most of the time of the tests.
    private mutating func readWords() {
        let keywords: Set<Substring> = ["func", "var", "let", "case", "struct", "enum", "class", "typealias"]
        let bytes = code.utf8
        var (start, previous, separator) = (bytes.startIndex, Substring(), UInt8(0))
        while start < bytes.endIndex {
            guard Self.isOfWord(bytes[start]) else {
                separator = bytes[start]
                bytes.formIndex(after: &start)
                continue
            }
            let end = bytes[start...].firstIndex { !Self.isOfWord($0) } ?? bytes.endIndex
            let word = code[start..<end]
            if word.first?.isUppercase == true { typeNames.insert(word) }
            if separator == UInt8(ascii: ".") { memberNames.insert(word) }
            if keywords.contains(previous) { declaredNames.insert(word) }
            (start, previous, separator) = (end, word, 0)
        }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
