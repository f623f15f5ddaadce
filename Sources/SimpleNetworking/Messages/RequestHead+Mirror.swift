extension RequestHead: CustomReflectable {
    /// Shows method, address and header fields to `dump` and debuggers, with secrets hidden.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "method": method.rawValue, "url": hiding(Redaction.text(of: url)), "headers": shown(headers),
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}

extension RequestHead {
    /// Header fields of this exchange for `dump`, each as a text.
    func shown(_ headers: HTTPHeaders) -> [String] { headers.fields.map { hiding($0.description) } }
}
