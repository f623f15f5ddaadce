/// Starts one background transfer, and responds as soon as the system has taken over the transfer.
final class BackgroundTransport: Transport {
    private let session: any BackgroundSession
    private let id: String
    /// The destination of a download, or nil for an upload.
    private let destination: URL?
    private let isStarted = Locked(false)

    var hasStarted: Bool { isStarted.withLock { $0 } }

    /// - Throws: The reason why the request can't be transferred in the background.
    init(_ session: any BackgroundSession, _ specification: RequestSpecification, id: String) throws {
        self.session = session
        self.id = id
        let isUpload: Bool
        if case .ready(.file, _, _, _) = specification.body { isUpload = true } else { isUpload = false }
        switch (specification.destination, specification.body) {
        case (.file(let file), .none): destination = file
        case (.memory, _) where isUpload: destination = nil
        default:
            let reason = "a background transfer needs either download(to:) without a body, or a body from a file"
            throw SimpleNetworkingError.invalidRequest(reason: reason, nil)
        }
        guard specification.uploadDraft == nil else {
            let reason = "the system resumes background uploads itself; remove resumesUpload()"
            throw SimpleNetworkingError.invalidRequest(reason: reason, nil)
        }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let record = BackgroundRecord(id: id, method: request.method, url: request.url, destination: destination)
        var file: URL?
        if case .file(let url) = request.body { file = url }
        if let file, !FileManager.default.isReadableFile(atPath: file.path) {
            throw NetworkFailure(.unreadableBody, detail: file.lastPathComponent)
        }
        var head = request
        head.body = .none
        let urlRequest = try head.makeURLRequest(isForMock: false)
        let description = try record.description
        // Nothing is started twice, whatever retries.
        guard !isStarted.exchange(true) else { return response(to: request) }
        session.start(urlRequest, uploading: file, describedAs: description)
        return response(to: request)
    }

    private func response(to request: TransportRequest) -> TransportResponse {
        var response = TransportResponse(httpStatus: 202)
        response.request = request.head
        return response
    }
}

/// The system's session for background transfers.
protocol BackgroundSession: Sendable {
    /// Starts an upload of a file, or a download if there is no file.
    func start(_ request: URLRequest, uploading file: URL?, describedAs description: String)
    /// Returns the descriptions of all unfinished tasks.
    func descriptions() async -> [String]
    func cancel(where isCancelled: @escaping @Sendable (_ description: String) -> Bool) async
    /// Lets the running tasks finish, and starts no more.
    func finish()
}
