import SimpleNetworkingSupport

/// Records where a request or a handler is defined, for logs and traces, and the object that a handler is bound to.
package struct CallSite {
    let fileID: StaticString
    let line: UInt
    /// The actor whose code defines the handler.
    let actor: (any Actor)?
    /// The object that the handler is bound to.
    let owner: AnyObject?

    package init(
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
