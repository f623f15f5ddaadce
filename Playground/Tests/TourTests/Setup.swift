import Foundation
import Tour

@testable import Tour

/// Records what a tour writes.
final class Paper: @unchecked Sendable {
    private let lock = NSLock()
    private var content = ""

    func screen(style: Style = .plain) -> Screen {
        Screen(style: style) { text in self.lock.withLock { self.content += text } }
    }

    var text: String { lock.withLock { content } }
    var lines: [String] { text.trimmingCharacters(in: .newlines).components(separatedBy: "\n") }
    /// The text without white space, since lines may be wrapped.
    var words: String { text.filter { !$0.isWhitespace } }
}

/// A scene made for a test.
struct Play: Scene {
    let title = "A play"
    let code = "show(…)"
    let expected: [String]
    let act: @Sendable (Stage) async throws -> Void

    init(expected: [String], act: @escaping @Sendable (Stage) async throws -> Void) {
        self.expected = expected
        self.act = act
    }

    func play(on stage: Stage) async throws { try await act(stage) }
}
