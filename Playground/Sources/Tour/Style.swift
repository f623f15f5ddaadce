import Foundation

/// Marks up text for a terminal, or leaves it plain.
public struct Style: Sendable {
    let isColored: Bool

    /// Leaves all text as it is.
    public static let plain = Style(isColored: false)

    /// Marks up text if standard output is a terminal, unless `NO_COLOR` is set (https://no-color.org).
    public static let forStandardOutput = Style(
        isColored: isatty(STDOUT_FILENO) == 1 && allowsColor(ProcessInfo.processInfo.environment)
    )

    static func allowsColor(_ environment: [String: String]) -> Bool {
        environment["NO_COLOR", default: ""].isEmpty && environment["TERM", default: "dumb"] != "dumb"
    }

    func heading(_ text: String) -> String { marked(text, "1") }
    func code(_ text: String) -> String { marked(text, "36") }
    func dim(_ text: String) -> String { marked(text, "2") }
    func good(_ text: String) -> String { marked(text, "32") }
    func bad(_ text: String) -> String { marked(text, "1;31") }

    private func marked(_ text: String, _ code: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
