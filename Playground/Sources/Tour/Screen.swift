import Foundation

/// Lays out the tour as plain text, line by line, with some colour if the reader's terminal has it.
public struct Screen: Sendable {
    private let style: Style
    private let write: @Sendable (String) -> Void

    /// Makes a screen that hands on what is to be written, line breaks included.
    public init(style: Style = .plain, write: @escaping @Sendable (String) -> Void) {
        self.style = style
        self.write = write
    }

    /// Writes to standard output at once, so that a reader sees each line when it is said.
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
