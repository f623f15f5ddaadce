/// Decides which header fields any origin may see, and which don't separate stored responses.
///
/// No list can know the names of all credentials, such as `X-Functions-Key`. So only fields that are known to be
/// harmless, and those that the caller names, are shared.
struct CrossOriginFields: Sendable {
    /// Names of further credentials.
    var secretNames: [String] = []
    /// Names of further harmless fields.
    var sharedNames: Set<String> = []

    func isShared(_ field: HTTPHeaders.Field) -> Bool {
        !field.isCredential(orNamedIn: secretNames)
            && (Redaction.isHarmless(field: field.name) || field.isNamed(in: sharedNames))
    }
}

extension HTTPHeaders {
    /// Removes all credentials, known ones and those with these names, and gives their names.
    mutating func removeCredentials(alsoNamed secretNames: [String]) -> [String] {
        removeNames { $0.isCredential(orNamedIn: secretNames) }
    }

    /// Removes all fields that another origin must not see, and gives their names.
    mutating func removePrivate(_ sharing: CrossOriginFields) -> [String] { removeNames { !sharing.isShared($0) } }

    /// Removes all fields of a name if one of them must go, and gives the names.
    private mutating func removeNames(_ isRemoved: (Field) -> Bool) -> [String] {
        let names = HTTPHeaders(fields: fields.filter(isRemoved)).names
        remove(names)
        return names
    }
}

extension HTTPHeaders.Field {
    fileprivate func isCredential(orNamedIn names: [String]) -> Bool {
        isSecret || Redaction.isCredential(field: name) || isNamed(in: names)
    }

    fileprivate func isNamed(in names: some Sequence<String>) -> Bool {
        names.contains { $0.isSameFieldName(as: name) }
    }
}
