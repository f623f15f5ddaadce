import SimpleNetworkingSupport

extension SimpleResponse {
    /// The response as an `HTTPURLResponse`, without content.
    public var httpResponse: HTTPURLResponse? {
        HTTPURLResponse(
            url: request.url,
            statusCode: httpStatus,
            httpVersion: "HTTP/1.1",
            headerFields: headers.dictionary
        )
    }
}
