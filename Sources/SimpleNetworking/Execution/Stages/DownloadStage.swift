/// Writes the content of an acceptable response to a file, and resumes where an earlier attempt was cut off.
///
/// The complete file is moved to its destination when the response is accepted. Until then, an existing file is left
/// unchanged, and the destination is reserved.
struct DownloadStage: Middleware {
    /// Keeps the commit that moves the file; returns false if the content isn't needed any more.
    typealias Keep = @Sendable (Commit) -> Bool

    let destination: URL
    /// The URL that was asked for.
    let url: URL
    let clock: any RequestClock
    /// The maximum size of the file in bytes; nil for any.
    let limit: Int?
    /// Whether an earlier attempt's partial file may be resumed.
    let resumes: Bool
    let keep: Keep
    /// Drops the content of an earlier response to the request.
    var dropFormer: @Sendable () -> Void = {}
    /// The number of parts of one attempt, because a server could send one byte at a time.
    private static let maxParts = 1_000
    /// The files that are being written.
    static let destinations = ExclusiveFiles()

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard destination.isFileURL else {
            let reason = "\(destination.scheme ?? "") is not the scheme of a file URL"
            throw SimpleNetworkingError.invalidRequest(reason: reason, request.head)
        }
        dropFormer()
        return try await Self.destinations.withFile(at: destination, for: request, clock) {
            let (response, whole) = try await write(request, next)
            if let whole { try commit(whole) }
            return response
        }
    }

    /// Lets the execution move the file when the response is accepted, and reserves its destination until then.
    private func commit(_ whole: PartialFile.Whole) throws {
        let release = Self.destinations.reserve(destination)
        let commit = Commit {
            defer { release() }
            try whole.move()
        } orDrop: {
            whole.file.discard()
            release()
        } expectingDrop: { [destination] in
            Self.destinations.expectEnd(of: destination)
        }
        guard keep(commit) else {
            commit.drop()
            throw CancellationError()
        }
    }

    private typealias Written = (response: TransportResponse, whole: PartialFile.Whole?)

    private func write(_ request: TransportRequest, _ next: Next) async throws -> Written {
        let file = PartialFile(destination: destination, url: url)
        // A request with its own `Range` isn't resumed.
        let isWhole = resumes && request.method == .get && !request.headers.contains("Range")
        if isWhole, let beginning = file.resumption(at: request.url) {
            if let written = try await resume(request, from: beginning, of: file, next) { return written }
            // The partial file doesn't match; start over.
            file.discard()
        }
        let (response, end) = try await fetch(request, to: file, next)
        return (response, end?.whole)
    }

    /// Requests the rest, part by part if the server sends less than that; returns nil to start over.
    private func resume(
        _ request: TransportRequest,
        from beginning: PartialFile.Beginning,
        of file: PartialFile,
        _ next: Next
    ) async throws -> Written? {
        var beginning = beginning
        var last: TransportResponse?
        let start = clock.now
        for _ in 0..<Self.maxParts {
            var part = request
            part.timeout -= clock.now - start
            guard part.timeout > 0 else {
                throw SimpleNetworkingError.timedOut(.attempt(request.timeout), request.head)
            }
            part.headers["Range"] = "bytes=\(beginning.offset)-"
            part.headers["If-Range"] = beginning.validator
            let response: TransportResponse
            let end: DownloadWriter.End?
            do {
                (response, end) = try await fetch(part, to: file, resuming: beginning, next)
            } catch is DownloadWriter.WrongRange {
                return nil
            }
            guard case .rest(let rest)? = end else {
                // Without any length, only a refusal tells that the last part was the end.
                if let last, beginning.length == nil, response.refusesRange(from: beginning.offset),
                    let whole = try file.seal(atSize: beginning.offset)
                {
                    return (last, whole)
                }
                // Some servers mistake `If-Range` for another condition.
                let isUsable = ![304, 412, 416].contains(response.httpStatus)
                // A part need not repeat the type of the whole (RFC 9110 §15.3.7), so only a whole response is refused.
                return isUsable && (!response.isRefused || response.httpStatus != 206) ? (response, end?.whole) : nil
            }
            beginning = rest
            last = response
        }
        throw NetworkFailure(.malformedResponse, detail: "it came in more than \(Self.maxParts) parts")
    }

    /// Returns the response, and how its content ended if it was written.
    private func fetch(
        _ request: TransportRequest,
        to file: PartialFile,
        resuming beginning: PartialFile.Beginning? = nil,
        _ next: Next
    ) async throws -> (response: TransportResponse, end: DownloadWriter.End?) {
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
            if response.isDelivered { return (response, try writer.finish()) }
            // An earlier response to a resumed upload may have been written in part.
            writer.abort()
            return (response, nil)
        } catch {
            writer.abort()
            throw error
        }
    }
}

extension DownloadStage {
    /// Creates the stage of a request, whose commit the execution keeps.
    init(destination: URL, plan: RequestPlan, execution: Execution, resumes: Bool = true) {
        self.destination = destination
        url = plan.url.url
        clock = plan.clock
        limit = plan.settings.configuration.maxDownloadSize
        self.resumes = resumes && plan.acceptableStatuses.contains(206)
        let round = plan.round
        keep = { execution.keep($0, of: round) }
        dropFormer = { execution.dropCommit(of: round) }
    }

    /// Returns whether a response has nothing to write: it says that the file is current, or another request has written
    /// its content.
    static func isCurrent(_ file: URL, by response: SimpleResponse) throws -> Bool {
        guard response.isDelivered || response.httpStatus == 304 else { return false }
        let headers = response.request.headers
        let isConditional = headers.contains("If-None-Match") || headers.contains("If-Modified-Since")
        let exists = FileManager.default.fileExists(atPath: file.path)
        if exists, response.isDelivered || isConditional { return true }
        if response.isDelivered { throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: file.path]) }
        throw NetworkFailure(.malformedResponse, detail: "it has status 304, but there is no file that is current")
    }
}

extension TransportResponse {
    /// Whether the server refuses a range because the content ends where the range begins (RFC 9110 §15.5.17).
    fileprivate func refusesRange(from offset: Int) -> Bool {
        httpStatus == 416 && ContentRange.length(unsatisfied: headers["Content-Range"]) == offset
    }
}
