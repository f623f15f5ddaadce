import SimpleNetworkingSupport

extension SimpleNetworking.Configuration {
    /// The value of an option that another module has added; requests can set their own with `option(_:_:)`.
    public subscript<Key: OptionKey>(key: Key.Type) -> Key.Value {
        get { options[key] }
        set { options[key] = newValue }
    }
}
