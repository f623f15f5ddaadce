// Public signatures need a public name for this constraint, and Swift before 6.2 has none. The underscore keeps it out of
// documentation and from meeting a user's own name; signatures show what it stands for.
// swift-format-ignore: NoLeadingUnderscores
#if compiler(>=6.2)
    /// Requires conformances that may be used from any thread.
    public typealias _SendableMetatype = SendableMetatype
#else
    /// Requires nothing: before Swift 6.2, conformances can be used from any thread.
    public typealias _SendableMetatype = Any
#endif
