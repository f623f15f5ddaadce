/// Brings the content of a success to a file, and goes on where an earlier attempt was cut off.
///
/// The file is there when it is complete, and not before; what was there stays until then.
struct DownloadStage: Middleware {
    let destination: URL
    /// Whether what an earlier attempt has left may be gone on with.
    var resumes = true

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard destination.isFileURL else {
            throw refusal("\(destination.scheme ?? "") is no address of a file", request)
        }
        guard Self.destinations.withLock({ $0.insert(destination.path).inserted }) else {
            throw refusal("another request is writing to \(destination.lastPathComponent)", request)
        }
        defer { Self.destinations.withLock { _ = $0.remove(destination.path) } }
        let file = PartialFile(destination: destination)
        // Whoever asks for a part has plans of their own.
        let isWhole = resumes && request.method == .get && !request.headers.contains("Range")
        guard isWhole, let (offset, validator) = file.resumption(of: request.url) else {
            return try await fetch(request, to: file, next)
        }
        var rest = request
        rest.headers["Range"] = "bytes=\(offset)-"
        rest.headers["If-Range"] = validator
        do {
            let response = try await fetch(rest, to: file, resumingAt: offset, next)
            // There is no rest: what is there is not the beginning of what the server has.
            guard response.status == 416 else { return response }
        } catch is DownloadWriter.WrongRange {}
        file.discard()
        return try await fetch(request, to: file, next)
    }

    private func refusal(_ reason: String, _ request: TransportRequest) -> SimpleNetworkingError {
        .invalidRequest(reason: reason, request.head)
    }

    private func fetch(
        _ request: TransportRequest,
        to file: PartialFile,
        resumingAt offset: Int? = nil,
        _ next: Next
    ) async throws -> TransportResponse {
        let writer = DownloadWriter(file, for: request.head, resumingAt: offset)
        var request = request
        // Ranges and the progress count the bytes of the file.
        if !request.headers.contains("Accept-Encoding") { request.headers["Accept-Encoding"] = "identity" }
        request.sink = .stream { try writer.receive($0) }
        if let report = request.progress { request.progress = { report($0.after(writer.offset)) } }
        do {
            let response = try await next(request)
            if (200...299).contains(response.status) { try writer.finish() }
            return response
        } catch {
            writer.abort()
            throw error
        }
    }

    /// Where requests of this process write to.
    private static let destinations = Locked<Set<String>>([])
}

extension TransferProgress {
    fileprivate func after(_ offset: Int) -> TransferProgress {
        var progress = self
        progress.bytesReceived = bytesReceived.addingSaturated(offset)
        progress.bytesToReceive = bytesToReceive?.addingSaturated(offset)
        return progress
    }
}
