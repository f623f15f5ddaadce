extension HTTPHeaders {
    /// Removes all credentials, those that are known and those that are named, and gives their names.
    mutating func removeCredentials(alsoNamed secretNames: [String]) -> [String] {
        let secret = fields.filter { field in
            field.isSecret || Redaction.isSecret(field: field.name)
                || secretNames.contains { $0.isSameFieldName(as: field.name) }
        }
        let names = HTTPHeaders(fields: secret).names
        filter { field in !names.contains { $0.isSameFieldName(as: field.name) } }
        return names
    }
}
