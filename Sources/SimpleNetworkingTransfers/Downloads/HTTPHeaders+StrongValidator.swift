import SimpleNetworkingFeatureSupport

extension HTTPHeaders {
    /// The strong validator of the content, if any.
    ///
    /// The validator is a strong `ETag`, or a `Last-Modified` date that is old enough to be a strong validator (RFC
    /// 9110 §8.8).
    var strongValidator: String? {
        if let tag = self["ETag"] {
            let isStrong = tag.utf8.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
            return isStrong ? tag : nil
        }
        guard let field = self["Last-Modified"], let modified = HTTPDate.date(field),
            let now = self["Date"].flatMap({ HTTPDate.date($0) }), now.timeIntervalSince(modified) >= 1
        else { return nil }
        return field
    }
}
