/// Shows one thing that the client does: a piece of code, and what it says while it runs.
public protocol Scene: Sendable {
    /// What is shown, as a heading.
    var title: String { get }
    /// The code that `play(on:)` runs, for the reader; a test keeps the two the same.
    var code: String { get }
    /// What the code has to say, line by line; `…` stands for any text.
    var expected: [String] { get }

    /// Runs the code, and returns when all has been said.
    func play(on stage: Stage) async throws
}
