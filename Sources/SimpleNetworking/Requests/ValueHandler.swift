/// A handler that waits for content as a value: once the content is decoded it is a handler like any other.
struct ValueHandler: Sendable {
    enum Use: Sendable { case status(HTTPStatuses), page, success, error, completion }

    let use: Use
    /// Where it was written, and what it is bound to.
    let site: Isolated<Void>
    /// Decodes the content, off every handler's place; gives nil if there is nothing to run.
    let decode: @Sendable (ValueSource) throws(SimpleNetworkingError) -> RequestHandler?

    var kind: HandlerRun.Kind {
        switch use {
        case .status(let statuses): .status(statuses)
        case .page: .page
        case .success: .success
        case .error: .error
        case .completion: .completion
        }
    }
}
