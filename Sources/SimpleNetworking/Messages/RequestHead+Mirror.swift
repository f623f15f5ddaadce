extension RequestHead: CustomReflectable {
    /// Shows method, address and header fields to `dump` and debuggers, with secrets hidden.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "method": method.rawValue, "url": Redaction.text(of: url), "headers": headers,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
