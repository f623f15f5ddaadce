import SimpleNetworkingFeatureSupport

/// Writes the content of an acceptable response to a file, and resumes where an earlier attempt was cut off.
///
/// The complete file is moved to its destination when the response is accepted. Until then, an existing file is left
/// unchanged, and the destination is reserved.
struct DownloadStage: Middleware {
    /// The number of the partial file that a request's execution has begun; nil if it has begun none.
    private enum OwnFile: OptionKey { static let defaultValue: UInt64? = nil }

    private let destination: URL
    private let delivery: Delivery
    private var attempt: Attempt? { delivery.attempt }
    /// The URL of the attempt's first request, before redirects.
    private let first = Locked<URL?>(nil)
    /// The number of parts of one attempt, because a server could send one byte at a time.
    private static let maxParts = 1_000
    /// The files that are being written.
    static let destinations = ExclusiveFiles()

    init(destination: URL, for delivery: Delivery) {
        self.destination = destination
        self.delivery = delivery
    }

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard destination.isFileURL else {
            let reason = "\(destination.scheme ?? "") is not the scheme of a file URL"
            throw SimpleNetworkingError.invalidRequest(reason: reason, request.head)
        }
        attempt?.dropCommit()
        return try await Self.destinations.withFile(at: destination, for: request, delivery.clock) {
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
        guard delivery.add(commit) else {
            commit.drop()
            throw CancellationError()
        }
    }

    private typealias Written = (response: TransportResponse, whole: PartialFile.Whole?)

    private func write(_ request: TransportRequest, _ next: Next) async throws -> Written {
        let first = request.isRedirected ? first.withLock(\.self) : nil
        // Whether no request that was redirected here has changed anything.
        let isOfRead = (attempt?.headAsSent?.method ?? .get) == .get
        let file = PartialFile(destination: destination, first: first, isOfRead: isOfRead)
        // A request with its own `Range` isn't resumed.
        let isWhole = delivery.mayContinue && request.method == .get && !request.headers.contains("Range")
        let own = attempt?.kept(OwnFile.self)
        if isWhole, let beginning = file.resumption(at: request.url, isOwn: { own?.value == $0 }) {
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
        let start = delivery.clock.now
        for _ in 0..<Self.maxParts {
            var part = request
            part.timeout -= delivery.clock.now - start
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
        // A transport may keep what writes, which must not keep the client.
        let own = attempt?.kept(OwnFile.self)
        let limit = delivery[DownloadLimit.self]
        let writer = DownloadWriter(file, for: request.head, resuming: beginning, limit: limit) { own?.value = $0 }
        var request = request
        // Ranges and progress count the bytes of the file.
        if !request.headers.contains("Accept-Encoding") { request.headers["Accept-Encoding"] = "identity" }
        request.sink = .stream { try writer.receive($0) }
        if let attempt {
            request.onDeparture = { [first] sent in
                if !sent.signed.isRedirected { first.withLock { $0 = sent.url } }
                writer.note(sent, attempt.owner(of: sent.signed))
            }
        }
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

extension TransportResponse {
    /// Whether the server refuses a range because the content ends where the range begins (RFC 9110 §15.5.17).
    fileprivate func refusesRange(from offset: Int) -> Bool {
        httpStatus == 416 && ContentRange.length(unsatisfied: headers["Content-Range"]) == offset
    }
}
