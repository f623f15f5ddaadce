import SimpleNetworkingSupport

/// Decides which header fields any origin may receive, and which fields don't distinguish accounts.
///
/// No list can contain the names of all credential fields, such as `X-Functions-Key`. Therefore, only fields that are
/// known to be safe and the fields that the caller names are shared.
struct CrossOriginFields: Sendable {
    /// The names of additional credential fields.
    var secretNames: [String] = []
    /// The names of additional fields that may be shared.
    var sharedNames: Set<String> = []

    func isShared(_ field: HTTPHeaders.Field) -> Bool {
        !field.isCredential(orNamedIn: secretNames)
            && (Redaction.isHarmless(field: field.name) || field.isNamed(in: sharedNames))
    }
}

extension HTTPHeaders {
    /// Removes all credentials, including fields with these names, and returns the removed names.
    mutating func removeCredentials(alsoNamed secretNames: [String]) -> [String] {
        removeNames { $0.isCredential(orNamedIn: secretNames) }
    }

    /// Removes all fields that another origin must not receive, and returns their names.
    mutating func removePrivate(_ sharing: CrossOriginFields) -> [String] { removeNames { !sharing.isShared($0) } }

    /// Removes all fields of each name that has at least one matching field, and returns these names.
    @inline(never)  // Inlined 6 times, it took 3 KB.
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
