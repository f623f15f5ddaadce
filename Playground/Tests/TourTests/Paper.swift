import Foundation
import Tour

/// Keeps what a tour writes.
final class Paper: @unchecked Sendable {
    private let lock = NSLock()
    private var content = ""

    func screen(style: Style = .plain) -> Screen {
        Screen(style: style) { text in self.lock.withLock { self.content += text } }
    }

    var text: String { lock.withLock { content } }
    var lines: [String] { text.trimmingCharacters(in: .newlines).components(separatedBy: "\n") }
    /// The text without white space, for what may have been broken into lines.
    var words: String { text.filter { !$0.isWhitespace } }
}
