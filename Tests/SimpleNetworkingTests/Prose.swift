import Foundation

/// The text that a person reads in a Markdown document: no code blocks, no comments, no targets of links.
struct Prose {
    /// Paragraphs, items of lists, headings and rows of tables, each as one line.
    let blocks: [String]

    init(markdown: String) {
        var text = markdown.replacing(/(?ms)^```.*?^```$/, with: "\n").replacing(/(?s)<!--.*?-->/, with: "\n")
        text = text.replacing(/\]\([^)]*\)/, with: "]").replacing(/(?m)^> ?/, with: "")
        var blocks = [""]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let isStart = ["- ", "|", "#"].contains { line.hasPrefix($0) }
            if isStart || line.allSatisfy(\.isWhitespace) { blocks.append("") }
            blocks[blocks.count - 1] += " " + line
        }
        self.blocks = blocks.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    var wordCount: Int { blocks.map(Self.wordCount).reduce(0, +) }

    static func wordCount(_ text: String) -> Int {
        text.split(whereSeparator: \.isWhitespace).filter { $0.contains { $0.isLetter || $0.isNumber } }.count
    }
}
