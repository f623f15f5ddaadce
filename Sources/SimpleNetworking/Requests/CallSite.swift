/// Says where a request or a handler was written, for the log and the trace, and what a handler is bound to.
struct CallSite {
    let fileID: StaticString
    let line: UInt
    /// The actor whose code ran there.
    let actor: (any Actor)?
    /// The object that the handler is bound to.
    let owner: AnyObject?

    init(
        _ fileID: StaticString = #fileID,
        _ line: UInt = #line,
        isolation actor: (any Actor)? = nil,
        owner: AnyObject? = nil
    ) {
        self.fileID = fileID
        self.line = line
        self.actor = actor
        self.owner = owner
    }
}
