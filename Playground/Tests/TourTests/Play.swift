@testable import Tour

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
