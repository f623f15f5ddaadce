/// Writes the content of an acceptable response to a file, and resumes where an earlier attempt was cut off.
///
/// The file appears when the download is complete. Until then, an existing file is left unchanged.
struct DownloadStage: Middleware {
    let destination: URL
    let plan: RequestPlan
    /// Whether an earlier attempt's partial file may be resumed.
    var resumes = true
    /// The number of parts of one attempt, because a server could send one byte at a time.
    private static let maxParts = 1_000
    /// The files that are being written.
    static let destinations = ExclusiveFiles()

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard destination.isFileURL else {
            let reason = "\(destination.scheme ?? "") is not the scheme of a file URL"
            throw SimpleNetworkingError.invalidRequest(reason: reason, request.head)
        }
        return try await Self.destinations.withFile(at: destination, for: request, plan.clock) {
            try await write(request, next)
        }
    }

    private func write(_ request: TransportRequest, _ next: Next) async throws -> TransportResponse {
        let file = PartialFile(destination: destination, url: plan.url.url)
        // A request with its own `Range` isn't resumed, and neither is one that doesn't accept a part.
        let mayResume = resumes && plan.acceptableStatuses.contains(206)
        let isWhole = mayResume && request.method == .get && !request.headers.contains("Range")
        if isWhole, let beginning = file.resumption(at: request.url) {
            if let response = try await resume(request, from: beginning, of: file, next) { return response }
            // The partial file doesn't match; start over.
            file.discard()
        }
        return try await fetch(request, to: file, next).response
    }

    /// Requests the rest, part by part if the server sends less than that; returns nil to start over.
    private func resume(
        _ request: TransportRequest,
        from beginning: PartialFile.Beginning,
        of file: PartialFile,
        _ next: Next
    ) async throws -> TransportResponse? {
        var beginning = beginning
        var last: TransportResponse?
        let start = plan.clock.now
        for _ in 0..<Self.maxParts {
            var part = request
            part.timeout -= plan.clock.now - start
            guard part.timeout > 0 else {
                throw SimpleNetworkingError.timedOut(.attempt(request.timeout), request.head)
            }
            part.headers["Range"] = "bytes=\(beginning.offset)-"
            part.headers["If-Range"] = beginning.validator
            let response: TransportResponse
            let rest: PartialFile.Beginning?
            do {
                (response, rest) = try await fetch(part, to: file, resuming: beginning, next)
            } catch is DownloadWriter.WrongRange {
                return nil
            }
            guard let rest else {
                // Without any length, only a refusal tells that the last part was the end.
                if let last, beginning.length == nil, response.refusesRange(from: beginning.offset),
                    try file.complete(atSize: beginning.offset)
                {
                    return last
                }
                // Some servers mistake `If-Range` for another condition.
                let isUsable = ![304, 412, 416].contains(response.httpStatus)
                // A part need not repeat the type of the whole (RFC 9110 §15.3.7), so only a whole response is refused.
                return isUsable && (!response.isRefused || response.httpStatus != 206) ? response : nil
            }
            beginning = rest
            last = response
        }
        throw NetworkFailure(.malformedResponse, detail: "it came in more than \(Self.maxParts) parts")
    }

    /// Returns the response, and what follows its part if the content isn't complete.
    private func fetch(
        _ request: TransportRequest,
        to file: PartialFile,
        resuming beginning: PartialFile.Beginning? = nil,
        _ next: Next
    ) async throws -> (response: TransportResponse, rest: PartialFile.Beginning?) {
        let limit = plan.settings.configuration.maxDownloadSize
        let writer = DownloadWriter(file, for: request.head, resuming: beginning, limit: limit)
        var request = request
        // Ranges and progress count the bytes of the file.
        if !request.headers.contains("Accept-Encoding") { request.headers["Accept-Encoding"] = "identity" }
        request.sink = .stream { try writer.receive($0) }
        if let report = request.progress {
            request.progress = { progress in
                let (offset, total) = writer.position
                var progress = progress
                progress.bytesReceived = progress.bytesReceived.addingSaturated(offset)
                progress.bytesToReceive = total ?? progress.bytesToReceive?.addingSaturated(offset)
                report(progress)
            }
        }
        do {
            let response = try await next(request)
            return (response, response.isDelivered ? try writer.finish() : nil)
        } catch {
            writer.abort()
            throw error
        }
    }
}

extension TransportResponse {
    /// Whether the server refuses a range because the content ends where the range begins (RFC 9110 §15.5.17).
    fileprivate func refusesRange(from offset: Int) -> Bool {
        httpStatus == 416 && ContentRange.length(unsatisfied: headers["Content-Range"]) == offset
    }
}
