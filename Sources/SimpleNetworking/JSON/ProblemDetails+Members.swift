import SimpleNetworkingSupport

extension ProblemDetails {
    /// The extension members, which RFC 9457 doesn't define, as JSON values.
    public var members: [String: Any] {
        (response.json ?? [:]).filter { !Self.standardNames.contains($0.key) }
    }
}
