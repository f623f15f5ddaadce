extension HTTPHeaders {
    /// Removes all credentials, those that are known and those that are named, and gives their names.
    mutating func removeCredentials(alsoNamed secretNames: [String]) -> [String] {
        let names = names.filter { name in
            Redaction.isSecret(field: name) || secretNames.contains { $0.isSameFieldName(as: name) }
        }
        filter { field in !names.contains { $0.isSameFieldName(as: field.name) } }
        return names
    }
}
