/// Writes the content of a success to a file, and resumes where an earlier attempt was cut off.
///
/// The file appears when it is complete; a file that was there before stays until then.
struct DownloadStage: Middleware {
    let destination: URL
    /// Whether the partial file of an earlier attempt may be resumed.
    var resumes = true

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard destination.isFileURL else {
            let reason = "\(destination.scheme ?? "") is not the scheme of a file URL"
            throw SimpleNetworkingError.invalidRequest(reason: reason, request.head)
        }
        do {
            return try await Self.destinations.withFile(at: destination) { try await write(request, next) }
        } catch is DownloadDestinations.InUse {
            let reason = "another request is writing to \(destination.lastPathComponent)"
            throw SimpleNetworkingError.invalidRequest(reason: reason, request.head)
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

extension TransferProgress {
    fileprivate func after(_ offset: Int) -> TransferProgress {
        var progress = self
        progress.bytesReceived = bytesReceived.addingSaturated(offset)
        progress.bytesToReceive = bytesToReceive?.addingSaturated(offset)
        return progress
    }
}

/// The files that requests of this process are writing, each by one request at a time.
///
/// A cancelled request ends before its transfer does, so a later one waits until the file is free.
final class DownloadDestinations: Sendable {
    /// Another request is writing to the file.
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
