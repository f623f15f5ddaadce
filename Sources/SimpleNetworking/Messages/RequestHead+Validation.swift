extension RequestHead {
    /// Checks that the request line and the header fields can be sent without meaning something else.
    ///
    /// A line break or a NUL in any of them would let whoever wrote the value add fields or requests of their own.
    ///
    /// - Throws: `SimpleNetworkingError.invalidRequest` or `.invalidURL`, which says what is wrong.
    func validate() throws(SimpleNetworkingError) {
        try validateFields()
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            throw .invalidURL(url.absoluteString, reason: "its scheme is neither http nor https")
        }
        guard let host = url.host, !host.isEmpty else {
            throw .invalidURL(url.absoluteString, reason: "it names no host")
        }
    }

    /// Checks all but the address.
    func validateFields() throws(SimpleNetworkingError) {
        guard method.rawValue.isToken else { throw .invalidRequest(reason: "its method is not a valid one", nil) }
        if let reason = headers.defect { throw .invalidRequest(reason: reason, self) }
    }
}
