import SimpleNetworkingSupport

/// The media types that the content of a response may have.
struct AcceptableTypes: Sendable {
    /// Media types, or ranges such as `image/*` (RFC 9110 §12.5.1).
    ///
    /// Parameters are ignored.
    let types: [MediaType]

    /// The first entry that is neither a media type nor a range; nil if all are valid.
    var firstMistake: MediaType? {
        types.first { !MediaTypeParts($0.rawValue).isValid || $0.essence.hasPrefix("*/") && $0.essence != "*/*" }
    }

    /// Returns whether a response may be used: it has no content, or content of one of the types.
    func accept(status: Int, _ headers: HTTPHeaders, hasContent: Bool) -> Bool {
        guard hasContent, status != 204, status != 205 else { return true }
        guard let field = headers["Content-Type"] else { return types.contains { $0.essence == "*/*" } }
        let essence = MediaTypeParts(MediaTypeParts.lastType(in: field)).essence
        return types.contains { $0.covers(essence) }
    }
}

extension MediaType {
    /// Returns whether the type, or range of types, contains another type, which is in lowercase.
    fileprivate func covers(_ other: String) -> Bool {
        let range = essence
        if range == other || range == "*/*" { return true }
        return range.hasSuffix("/*") && other.hasPrefix(range.dropLast())
    }
}

extension SimpleResponse {
    /// Returns the error for content of another type than the request accepts; nil if it may be used.
    func refusal(by acceptable: AcceptableTypes?) -> SimpleNetworkingError? {
        guard let acceptable else { return nil }
        if !isRefused, acceptable.accept(status: httpStatus, headers, hasContent: !data.isEmpty) { return nil }
        return .unacceptableContentType(acceptable: acceptable.types, self)
    }
}
