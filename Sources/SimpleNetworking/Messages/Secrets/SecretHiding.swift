/// Hides secrets by the client's rules in what the test kit shows and stores.
package enum SecretHiding {
    /// What stands in place of a secret.
    package static let mark = Redaction.mark

    /// Tells whether the values of this parameter or JSON member are secrets.
    package static func isSecret(_ name: String) -> Bool { Redaction.isSecret(parameter: name) }

    /// A JSON value with the values of secret members hidden.
    package static func hidden(json: Any) -> Any { Redaction.hidden(json) }
}
