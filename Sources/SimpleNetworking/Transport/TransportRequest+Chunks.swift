extension TransportRequest {
    /// Reads a body that is created piece by piece, as a server does.
    ///
    /// Returns any other request unchanged.
    package func collectingChunks() async throws -> TransportRequest {
        guard case .chunks(_, let chunks) = body else { return self }
        var content = Data()
        for try await chunk in chunks { content += chunk }
        var request = self
        request.body = .data(content)
        return request
    }
}

extension BodyChunks {
    /// The whole content, for the test kit; nil if only an asynchronous sequence has it, or if it can't be read.
    package var wholeContent: Data? { collect.flatMap { try? $0() } }
}
