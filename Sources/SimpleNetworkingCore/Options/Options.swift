import SimpleNetworkingSupport

/// Holds the options that modules have added to a client or a request; nothing is allocated for none.
struct Options: Sendable {
    struct Entry: Sendable {
        let key: any OptionKey.Type
        let value: any Sendable
    }

    private var values: [ObjectIdentifier: Entry] = [:]

    var isEmpty: Bool { values.isEmpty }
    var keys: [any OptionKey.Type] { values.values.map(\.key) }

    subscript<Key: OptionKey>(key: Key.Type) -> Key.Value {
        get { self[own: key] ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = Entry(key: key, value: newValue) }
    }

    /// The value that was set; nil if none was.
    subscript<Key: OptionKey>(own key: Key.Type) -> Key.Value? {
        // Unwrapped first: a missing value would pass for an optional one that is nil.
        guard let entry = values[ObjectIdentifier(key)] else { return nil }
        return entry.value as? Key.Value
    }

    /// The keys and the types of the values, which may be secrets or the caller's own objects.
    var shownTexts: [String] { values.values.map { "\($0.key): \(type(of: $0.value as Any))" }.ordered(by: \.self) }

    /// Returns these options with a request's, which replace them.
    func replaced(by own: Options) -> Options {
        if own.isEmpty { return self }
        if isEmpty { return own }
        var merged = self
        merged.values.merge(own.values) { _, own in own }
        return merged
    }
}
