import SimpleNetworkingSupport

extension SimpleResponse {
    /// The content as a JSON object; nil if the content isn't a JSON object.
    public var json: [String: Any]? { jsonObject as? [String: Any] }

    /// The content as a JSON array; nil if the content isn't a JSON array.
    public var jsonArray: [Any]? { jsonObject as? [Any] }

    /// The content as any JSON value, including fragments such as `true`; nil if the content isn't JSON.
    public var jsonObject: Any? {
        guard !data.isEmpty, JSONSyntax.trailingComma(in: data) == nil else { return nil }
        return try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    }
}
