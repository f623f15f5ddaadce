extension TransportRequest {
    /// Writes content that comes in pieces to a file; nil for any other content.
    ///
    /// - Throws: What the sequence of the pieces throws; `NetworkFailure` with `.unreadableBody` if it has another
    ///   length than the request says.
    func collectChunks() async throws -> TemporaryFile? {
        guard case .chunks(let length, let chunks) = body else { return nil }
        if chunks.trailers != nil {
            throw SimpleNetworkingError.invalidRequest(reason: "URLSession sends no trailers", head)
        }
        let file = try TemporaryFile()
        try await chunks.forEach { try file.append($0) }
        try file.close()
        guard length == nil || length == file.length else {
            throw NetworkFailure(.unreadableBody, detail: "it has \(file.length) bytes")
        }
        return file
    }
}
