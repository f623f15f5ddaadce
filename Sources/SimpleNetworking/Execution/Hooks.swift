/// What a client's subclass, or the one call, has to say about each attempt.
struct Hooks: Sendable {
    /// Changes what is sent; nil if nobody wants to.
    var prepare: (@Sendable (inout TransportRequest) async throws -> Void)?
    /// Throws for an answer that is no success; nil for the usual: the acceptable statuses.
    var validate: (@Sendable (SimpleResponse) throws -> Void)?
    /// Decides whether an attempt that failed is sent again, by its error and its number; nil for never.
    var shouldRetry: (@Sendable (SimpleNetworkingError, Int) async throws -> Bool)?
}
