import SimpleNetworkingSupport

extension HTTPURLResponse {
    /// Whether the content was compressed, so that its length doesn't show the number of bytes transferred.
    var isCompressed: Bool {
        guard let encoding = value(forHTTPHeaderField: "Content-Encoding") else { return false }
        return !encoding.isSameFieldName(as: "identity")
    }

    /// Returns the number of content bytes to be transferred; nil if there is no content or its length is unknown.
    func announcedBytes(for method: HTTPMethod) -> Int? {
        method != .head && expectedContentLength > 0 ? Int(clamping: expectedContentLength) : nil
    }

    /// Returns the number of content bytes transferred, given the decompressed size; nil if the number is unknown.
    func receivedBytes(ofContent count: Int, for method: HTTPMethod) -> Int? {
        if method == .head || !isCompressed { return count }
        return expectedContentLength >= 0 ? Int(clamping: expectedContentLength) : nil
    }
}

extension HTTPHeaders {
    /// Reads the fields of a response, sorted by name.
    ///
    /// Foundation joins repeated fields and loses their order. This initializer splits cookies again.
    package init(_ response: HTTPURLResponse) {
        let pairs = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { Field($0, ((value as? String) ?? "\(value)").decodedLatin1) }
        }
        self.init(
            fields: pairs.ordered(by: \.name).flatMap { field in
                guard field.name.isSameFieldName(as: "Set-Cookie") else { return [field] }
                return field.value.joinedCookies.map { Field(field.name, $0) }
            }
        )
    }
}
