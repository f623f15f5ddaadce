import SimpleNetworkingFeatureSupport

/// The requests to the URL of a resumable upload, made from the request that began it.
struct UploadRequests {
    let upload: OfferedUpload
    let attempt: Attempt
    let first: TransportRequest

    /// Asks how much of the upload the server has received.
    var state: TransportRequest {
        var request = emptyRequest(.head)
        // Only the server knows it now.
        request.headers["Cache-Control"] = "no-store"
        return request
    }

    /// Sends the rest of the content.
    func rest(_ content: RequestBody) -> TransportRequest {
        var request = self.request(.patch)
        request.body = content
        upload.draft.describeRest(from: upload.offset, in: &request.headers)
        guard let report = request.progress else { return request }
        request.progress = { [upload] progress in
            var progress = progress
            progress.bytesSent = progress.bytesSent.addingSaturated(upload.offset)
            progress.bytesToSend = upload.length
            report(progress)
        }
        return request
    }

    /// Tells the server that the upload won't be resumed.
    var cancellation: TransportRequest { emptyRequest(.delete) }

    private func emptyRequest(_ method: HTTPMethod) -> TransportRequest {
        var request = self.request(method)
        request.body = .none
        request.sink = .memory
        request.progress = nil
        upload.draft.identify(&request.headers)
        return request
    }

    /// Creates a request without the fields that describe the whole content, or that the upload's URL must not receive.
    private func request(_ method: HTTPMethod) -> TransportRequest {
        var request = first
        request.original = first.head
        request.method = method
        request.head.written = upload.written
        request.headers.filter { !Self.concernsWholeContent($0.name.lowercased()) }
        if Origin(upload.url) != Origin(first.url) { request.headers["Host"] = nil }
        attempt.withhold(from: &request)
        return request
    }

    private static func concernsWholeContent(_ name: String) -> Bool {
        let names = ["digest", "repr-digest", "idempotency-key", "range", "transfer-encoding", "expect", "trailer"]
        return name.hasPrefix("content-") || name.hasPrefix("if-") || names.contains(name)
    }
}
