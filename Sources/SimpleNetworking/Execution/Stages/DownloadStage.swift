/// Writes the content of a successful response to a file, and resumes where an earlier attempt was cut off.
///
/// The file appears when the download is complete. Until then, an existing file is left unchanged.
struct DownloadStage: Middleware {
    let destination: URL
    let clock: any RequestClock
    /// Whether an earlier attempt's partial file may be resumed.
    var resumes = true
    /// The files that are being written.
    static let destinations = ExclusiveFiles()

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard destination.isFileURL else {
            let reason = "\(destination.scheme ?? "") is not the scheme of a file URL"
            throw SimpleNetworkingError.invalidRequest(reason: reason, request.head)
        }
        return try await Self.destinations.withFile(at: destination, for: request, clock) {
            try await write(request, next)
        }
    }

    private func write(_ request: TransportRequest, _ next: Next) async throws -> TransportResponse {
        let file = PartialFile(destination: destination)
        // A request with its own `Range` isn't resumed.
        let isWhole = resumes && request.method == .get && !request.headers.contains("Range")
        guard isWhole, let beginning = file.resumption(of: request.url) else {
            return try await fetch(request, to: file, next)
        }
        var rest = request
        rest.headers["Range"] = "bytes=\(beginning.offset)-"
        rest.headers["If-Range"] = beginning.validator
        do {
            let response = try await fetch(rest, to: file, resuming: beginning, next)
            // The partial file doesn't match; start over. Some servers mistake `If-Range` for another condition.
            let isUsable = ![304, 412, 416].contains(response.httpStatus)
            // A part need not repeat the type of the whole (RFC 9110 §15.3.7), so only a whole response is refused.
            if isUsable, !response.isRefused || response.httpStatus != 206 { return response }
        } catch is DownloadWriter.WrongRange {}
        file.discard()
        return try await fetch(request, to: file, next)
    }

    private func fetch(
        _ request: TransportRequest,
        to file: PartialFile,
        resuming beginning: PartialFile.Beginning? = nil,
        _ next: Next
    ) async throws -> TransportResponse {
        let writer = DownloadWriter(file, for: request.head, resuming: beginning)
        var request = request
        // Ranges and progress count the bytes of the file.
        if !request.headers.contains("Accept-Encoding") { request.headers["Accept-Encoding"] = "identity" }
        request.sink = .stream { try writer.receive($0) }
        if let report = request.progress {
            request.progress = { progress in
                let offset = writer.offset
                var progress = progress
                progress.bytesReceived = progress.bytesReceived.addingSaturated(offset)
                progress.bytesToReceive = progress.bytesToReceive?.addingSaturated(offset)
                report(progress)
            }
        }
        do {
            let response = try await next(request)
            if response.isSuccess { try writer.finish() }
            return response
        } catch {
            writer.abort()
            throw error
        }
    }
}
