extension HTTPHeaders: CustomReflectable {
    /// Shows the fields to `dump` and debuggers, with the values of secret ones hidden.
    public var customMirror: Mirror {
        Mirror(self, children: fields.map { ($0.name, Redaction.text(of: $0)) }, displayStyle: .struct)
    }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
    /// The field as a line, with its value hidden if it is secret.
    public var description: String { "\(name): \(Redaction.text(of: self))" }

    /// Shows no more than the description does.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": Redaction.text(of: self)], displayStyle: .struct)
    }
}
