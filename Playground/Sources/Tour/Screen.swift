import Foundation

/// Lays out the tour as plain text, line by line, with some colour if the reader's terminal has it.
public struct Screen: Sendable {
    private let style: Style
    private let write: @Sendable (String) -> Void

    /// Makes a screen that passes on its text, line breaks included.
    public init(style: Style = .plain, write: @escaping @Sendable (String) -> Void) {
        self.style = style
        self.write = write
    }

    /// Writes to standard output at once, so that a reader sees each line when it is printed.
    public static let standardOutput = Screen(style: .forStandardOutput) {
        FileHandle.standardOutput.write(Data($0.utf8))
    }

    func open(scenes: Int, server: URL) {
        line(style.heading("SimpleNetworking: a tour in \(scenes) scene\(scenes == 1 ? "" : "s")"))
        line("")
        line("Each scene is a piece of code, and below it what its show(…) lines said: when, where, what.")
        line("The server they talk to is part of this program: \(server.absoluteString)")
    }

    func begin(_ scene: any Scene, number: Int) {
        line("")
        line("")
        line(style.heading("\(number). \(scene.title)"))
        line("")
        for code in scene.code.components(separatedBy: "\n") { line(code.isEmpty ? "" : "    " + style.code(code)) }
        line("")
    }

    func show(_ said: Line) {
        let time = Self.padded(Self.milliseconds(said.time), to: 9, atStart: true)
        guard let place = said.place else {
            line("")
            for text in said.text.components(separatedBy: "\n") { line("    " + style.dim(text)) }
            return
        }
        let margin = String(repeating: " ", count: 28)
        let text = said.text.wrapped(to: 92).joined(separator: "\n" + margin)
        line("\(style.dim(time))  \(style.dim(Self.padded(place, to: 15)))  \(text)")
    }

    func end(_ report: SceneReport) {
        line("")
        if report.isAsExpected { return line("    " + style.good("as expected")) }
        line("    " + style.bad("NOT AS EXPECTED"))
        for problem in report.problems.flatMap({ $0.components(separatedBy: "\n") }) { line("    " + problem) }
    }

    func close(_ reports: [SceneReport], duration: Duration) {
        let good = reports.count(where: \.isAsExpected)
        let summary =
            "\(reports.count) scene\(reports.count == 1 ? "" : "s"), \(good) as expected, "
            + String(format: "%.2f s", duration / .seconds(1))
        line("")
        line("")
        line(good == reports.count ? style.good(summary) : style.bad(summary))
    }

    private func line(_ text: String) { write(text + "\n") }

    private static func milliseconds(_ time: Duration) -> String { String(format: "%.1f ms", time / .milliseconds(1)) }

    private static func padded(_ text: String, to length: Int, atStart: Bool = false) -> String {
        let padding = String(repeating: " ", count: max(0, length - text.count))
        return atStart ? padding + text : text + padding
    }
}

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

extension String {
    /// Breaks a text between words into lines of at most so many characters; a longer word gets a line of its own.
    func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
