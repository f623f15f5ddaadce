extension HTTPHeaders {
    /// Removes all credentials, those that are known and those that are named, and gives their names.
    mutating func removeCredentials(alsoNamed secretNames: [String]) -> [String] {
        removeNames { field in
            field.isSecret || Redaction.isSecret(field: field.name)
                || secretNames.contains { $0.isSameFieldName(as: field.name) }
        }
    }

    /// Removes all fields that another origin must not see, and gives their names.
    mutating func removePrivate(_ sharing: FieldSharing) -> [String] { removeNames { !sharing.isShared($0) } }

    /// Removes each field of a name that one of them is removed with, and gives the names.
    private mutating func removeNames(_ isRemoved: (Field) -> Bool) -> [String] {
        let names = HTTPHeaders(fields: fields.filter(isRemoved)).names
        filter { field in !names.contains { $0.isSameFieldName(as: field.name) } }
        return names
    }
}
