import SimpleNetworkingSupport

extension TransportRequest {
    /// All options, of the request and its client.
    var options: Options {
        get { storage.value.options }
        set { storage = storage.changed { $0.options = newValue } }
    }

    /// The value of an option, as the request or its client sets it; the option's default value if neither does.
    public subscript<Key: OptionKey>(key: Key.Type) -> Key.Value {
        get { storage.value.options[key] }
        set { storage = storage.changed { $0.options[key] = newValue } }
    }
}
