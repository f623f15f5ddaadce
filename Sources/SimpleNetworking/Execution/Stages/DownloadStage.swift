/// Writes the content of a success to a file, and resumes where an earlier attempt was cut off.
///
/// The file appears when it is complete; a file that was there before stays until then.
struct DownloadStage: Middleware {
    let destination: URL
    /// Whether the partial file of an earlier attempt may be resumed.
    var resumes = true

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard destination.isFileURL else {
            throw refusal("\(destination.scheme ?? "") is not the scheme of a file URL", request)
        }
        do {
            return try await Self.destinations.withFile(at: destination) { try await write(request, next) }
        } catch is DownloadDestinations.InUse {
            throw refusal("another request is writing to \(destination.lastPathComponent)", request)
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
            // The partial file doesn't match; start over.
            guard response.httpStatus == 416 else { return response }
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
        resuming beginning: PartialFile.Beginning? = nil,
        _ next: Next
    ) async throws -> TransportResponse {
        let writer = DownloadWriter(file, for: request.head, resuming: beginning)
        var request = request
        // Ranges and the progress count the bytes of the file.
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

    private static let destinations = DownloadDestinations()
}

/// Writes the content of one response to a partial file: appends or starts over, as the response's head says.
final class DownloadWriter: Sendable {
    /// The response has another range than the requested one, or is of other content, or the partial file has changed.
    struct WrongRange: Error {}

    private struct State {
        var file: PrivateFile?
        var offset = 0
        var received = 0
        /// The range of the response, if it is a part.
        var part: ContentRange?
    }

    private let file: PartialFile
    private let request: RequestHead
    /// What the partial file has, if the rest is requested.
    private let beginning: PartialFile.Beginning?
    private let state = Locked(State())

    init(_ file: PartialFile, for request: RequestHead, resuming beginning: PartialFile.Beginning?) {
        (self.file, self.request, self.beginning) = (file, request, beginning)
    }

    var offset: Int { state.withLock { $0.offset } }

    func receive(_ part: ResponsePart) throws {
        switch part {
        case .head(let status, let headers): try open(status, headers)
        case .content(let data):
            let file = state.withLock { state in
                state.received += data.count
                return state.file
            }
            try file?.handle.write(contentsOf: data)
        }
    }

    private func open(_ status: Int, _ headers: HTTPHeaders) throws {
        guard status == 206 else { return try begin(status == 200 ? headers.source(of: request.url) : nil) }
        if let beginning {
            guard let part = ContentRange(headers["Content-Range"]), part.first == beginning.offset,
                headers.mayContinue(beginning), let opened = file.append(at: beginning.offset)
            else { throw WrongRange() }
            state.withLock { ($0.file, $0.offset, $0.part) = (opened, beginning.offset, part) }
        } else {
            // A part must not be taken for the whole.
            guard let range = request.headers["Range"], ContentRange.satisfies(range, with: headers) else {
                let range = headers["Content-Range"] ?? "no Content-Range"
                throw malformed("it has a range that was not requested: \(range)")
            }
            try begin(nil)
        }
    }

    private func begin(_ source: PartialFile.Source?) throws {
        let made = try file.begin(source)
        state.withLock { $0.file = made }
    }

    /// Ends the content: it is complete.
    func finish() throws {
        let (written, part, end) = state.withLock { ($0.file, $0.part, $0.offset + $0.received) }
        if let length = part.map({ $0.total ?? $0.last.addingSaturated(1) }), end != length {
            throw malformed("it ends with byte \(end) of \(length)")
        }
        // Not every transport reports a head.
        let whole = try written ?? file.begin(nil)
        try whole.handle.close()
        try file.complete(whole.number)
    }

    private func malformed(_ detail: String) -> NetworkFailure { NetworkFailure(.malformedResponse, detail: detail) }

    func abort() {
        let written = state.withLock { $0.file.take() }
        try? written?.handle.close()
        if written != nil, !file.isResumable { file.discard() }
    }
}

extension HTTPHeaders {
    /// Whether a part may be of the same content as the beginning (RFC 9110 §15.3.7.3): some servers ignore `If-Range`.
    fileprivate func mayContinue(_ beginning: PartialFile.Beginning) -> Bool {
        let name = beginning.validator.hasPrefix("\"") ? "ETag" : "Last-Modified"
        return self[name].map { $0 == beginning.validator } ?? true
    }

    /// The validator for requesting the rest later; nil if the bytes can't be counted or there is no strong validator.
    fileprivate func source(of url: URL) -> PartialFile.Source? {
        guard self["Accept-Ranges"]?.lowercased() != "none",
            self["Content-Encoding"].map({ $0.lowercased() == "identity" }) ?? true
        else { return nil }
        return strongValidator.map { PartialFile.Source(url, validator: $0) }
    }
}

/// The files that requests of this process are writing, each by one request at a time.
///
/// A cancelled request ends before its transfer does, so a later one waits until the file is free.
final class DownloadDestinations: Sendable {
    struct InUse: Error {}

    private struct Holder {
        var isCancelled = false
        var waiting: [Race<Void>] = []
    }

    private let holders = Locked<[String: Holder]>([:])

    /// Runs a transfer that writes to a file.
    ///
    /// - Throws: `InUse` if a request that has not been cancelled writes to it; `CancellationError` if the task was
    ///   cancelled while it waited.
    func withFile<Result>(at url: URL, _ transfer: () async throws -> Result) async throws -> Result {
        let path = url.resolvedPath
        while let free = try join(path) { try await free.value() }
        defer { leave(path) }
        return try await withTaskCancellationHandler {
            try await transfer()
        } onCancel: {
            holders.withLock { $0[path]?.isCancelled = true }
        }
    }

    /// Returns nil if the file is the caller's now, else what ends when it may try again.
    private func join(_ path: String) throws -> Race<Void>? {
        try holders.withLock { holders in
            guard let holder = holders[path] else {
                holders[path] = Holder()
                return nil
            }
            guard holder.isCancelled else { throw InUse() }
            let free = Race<Void>()
            holders[path]?.waiting.append(free)
            return free
        }
    }

    private func leave(_ path: String) {
        let holder = holders.withLock { $0.removeValue(forKey: path) }
        holder?.waiting.forEach { $0.finish(.success(())) }
    }
}

extension URL {
    /// The path without links to its folder: a folder may have several names.
    fileprivate var resolvedPath: String {
        guard let folder = realpath(deletingLastPathComponent().path, nil) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + lastPathComponent
    }
}
