/// Shows one thing that the client does: a piece of code, and what it prints while it runs.
public protocol Scene: Sendable {
    /// The heading.
    var title: String { get }
    /// The code that `play(on:)` runs, for the reader; a test keeps the two the same.
    var code: String { get }
    /// The lines that the code must print; `…` stands for any text.
    var expected: [String] { get }

    /// Runs the code, and returns when all lines were printed.
    func play(on stage: Stage) async throws
}
