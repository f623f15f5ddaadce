import FlyingFox

/// One kind of request that the server answers.
struct Route: Sendable {
    /// Methods and path as FlyingFox writes them, such as `GET /users/:id`.
    ///
    /// Without a method, every method is meant.
    let pattern: String
    let summary: String
    let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse

    init(_ pattern: String, _ summary: String, answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
        self.pattern = pattern
        self.summary = summary
        self.answer = answer
    }
}
