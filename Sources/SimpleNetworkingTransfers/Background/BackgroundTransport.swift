import SimpleNetworkingFeatureSupport

/// Starts one background transfer, and responds as soon as the system has taken over the transfer.
final class BackgroundTransport: Transport {
    private let session: any BackgroundSession
    private let id: String
    /// The destination of a download, or nil for an upload.
    private let destination: URL?
    private let progress = Locked(Progress.waiting)

    private enum Progress { case waiting, started, abandoned }

    /// - Throws: The reason why the request can't be transferred in the background.
    init(_ session: any BackgroundSession, _ request: SimpleRequest, id: String) throws {
        self.session = session
        self.id = id
        switch (request.destination, request.readyBody) {
        case (let file?, RequestBody.none?): destination = try Self.file(of: file)
        case (nil, .file?): destination = nil
        default: throw Self.unsuitable
        }
        guard !request.isSentInParts else {
            throw Self.refusal("the system resumes background uploads itself; remove resumesUpload()")
        }
    }

    /// Prevents a later start, and returns whether the transfer was started.
    func abandon() -> Bool {
        progress.withLock { progress in
            if progress == .started { return true }
            progress = .abandoned
            return false
        }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let file = try file(of: request)
        try request.body.validate(for: request.head)
        let record = BackgroundRecord(id: id, method: request.method, url: request.url, destination: destination)
        let description = try record.description
        var head = request
        head.body = .none
        try progress.withLock { progress in
            // Nothing is started twice, whatever retries.
            guard progress == .waiting else { return }
            try session.start(head, uploading: file, describedAs: description)
            progress = .started
        }
        return response(to: request)
    }

    /// Returns the file to upload, or nil for a download; hooks and middleware may have changed the body.
    private func file(of request: TransportRequest) throws -> URL? {
        switch (destination, request.body) {
        case (let destination?, .none):
            let folder = destination.deletingLastPathComponent()
            guard folder.isFolder else {
                throw Self.refusal("the folder \(folder.path) doesn't exist")
            }
            return nil
        case (nil, .file(let file)): return file
        default: throw Self.refusal("a hook or middleware has replaced the body of the background transfer")
        }
    }

    private static var unsuitable: SimpleNetworkingError {
        refusal("a background transfer needs either download(to:) without a body, or a body from a file")
    }

    private static func file(of destination: any ResponseDestination) throws -> URL {
        guard let file = (destination as? DownloadFile)?.url, file.isFileURL else { throw unsuitable }
        return file
    }

    private static func refusal(_ reason: String) -> SimpleNetworkingError { .invalidRequest(reason: reason, nil) }

    private func response(to request: TransportRequest) -> TransportResponse {
        var response = TransportResponse(httpStatus: 202)
        response.request = request.head
        return response
    }
}

/// The system's session for background transfers.
protocol BackgroundSession: Sendable {
    /// Starts an upload of a file, or a download if there is no file.
    ///
    /// - Throws: The reason why the session starts nothing.
    func start(_ request: TransportRequest, uploading file: URL?, describedAs description: String) throws
    /// Returns the descriptions of all unfinished tasks.
    func descriptions() async -> [String]
    func cancel(where isCancelled: @escaping @Sendable (_ description: String) -> Bool) async
}

/// Has a request start a background transfer, in whose place a response stands.
struct BackgroundStart: ResponseDestination {
    let transport: (any Transport)?

    // No other request has the response that stands for the start.
    var sink: ResponseSink { .stream { _ in } }
}
