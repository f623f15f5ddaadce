/// Shows itself to `dump` and debuggers without its secrets.
protocol Redacted: CustomReflectable {
    /// What is shown beside the description: values without secrets, or that hide their own.
    ///
    /// The default is nothing.
    var shownMembers: KeyValuePairs<String, Any> { get }
}

extension Redacted {
    var shownMembers: KeyValuePairs<String, Any> { [:] }

    /// Shows the value to `dump` and debuggers, with secrets hidden.
    public var customMirror: Mirror {
        Mirror(self, children: shownMembers, displayStyle: .struct, ancestorRepresentation: .suppressed)
    }
}
