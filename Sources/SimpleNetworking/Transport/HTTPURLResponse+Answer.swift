extension HTTPURLResponse {
    /// Tells whether the content came compressed, so that its length on the wire says little.
    var isCompressed: Bool {
        guard let encoding = value(forHTTPHeaderField: "Content-Encoding") else { return false }
        return !encoding.isSameFieldName(as: "identity")
    }

    /// How many bytes of content came over the wire, if that can be told.
    func receivedBytes(of body: Data, for method: HTTPMethod) -> Int? {
        if method == .head || !isCompressed { return body.count }
        return expectedContentLength >= 0 ? Int(expectedContentLength) : nil
    }
}

extension HTTPHeaders {
    /// Takes the fields of an answer, by name.
    ///
    /// Foundation has joined repeated ones, and keeps no order.
    init(_ response: HTTPURLResponse) {
        let pairs = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { Field($0, (value as? String) ?? "\(value)") }
        }
        self.init(fields: pairs.sorted { $0.name < $1.name })
    }
}
