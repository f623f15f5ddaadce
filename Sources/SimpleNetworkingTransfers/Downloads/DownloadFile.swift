import SimpleNetworkingFeatureSupport

/// The file to which a request downloads the content of its response.
struct DownloadFile: ContentStore {
    let url: URL

    var value: (any Sendable)? { url }

    func stage(for delivery: Delivery) -> any Middleware { DownloadStage(destination: url, for: delivery) }

    func isCurrent(by response: SimpleResponse) throws -> Bool {
        guard response.isDelivered || response.httpStatus == 304 else { return false }
        let headers = response.request.headers
        let isConditional = headers.contains("If-None-Match") || headers.contains("If-Modified-Since")
        let exists = FileManager.default.fileExists(atPath: url.path)
        if exists, response.isDelivered || isConditional { return true }
        if response.isDelivered { throw CocoaError(.fileNoSuchFile, path: url.path) }
        throw NetworkFailure(.malformedResponse, detail: "it has status 304, but there is no file that is current")
    }

    func reserve() -> @Sendable () -> Void { DownloadStage.destinations.keep(url) }
}
