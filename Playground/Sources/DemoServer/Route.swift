import FlyingFox

/// One kind of request that the server responds to.
struct Route: Sendable {
    /// Methods and path as FlyingFox writes them, such as `GET /users/:id`.
    ///
    /// Without a method, every method is meant.
    let pattern: String
    let summary: String
    let response: @Sendable (HTTPRequest) async throws -> HTTPResponse

    init(_ pattern: String, _ summary: String, response: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse)
    {
        self.pattern = pattern
        self.summary = summary
        self.response = response
    }
}

/// Routes that belong together, one group per file of `Routes`.
protocol RouteGroup: Sendable {
    var routes: [Route] { get }
}
