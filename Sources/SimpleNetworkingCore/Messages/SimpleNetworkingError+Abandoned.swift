import SimpleNetworkingSupport

extension SimpleNetworkingError {
    /// Tells where a request was released that only the released object could continue, as the end of a sentence.
    var abandonment: String {
        switch self {
        case .abandoned(nil, nil, _):
            "was abandoned before it was sent: execute(request:) released it without super.execute(request:), fail(_:) or "
                + "stop()."
        case .abandoned(_, let response, let inner):
            "was abandoned after \(response.map { "status \($0.httpStatus)" } ?? "no response"): a handler returned false "
                + "and kept the request, but released it without retry(), fail(_:), succeed(with:) or stop(). A callback "
                + "may have been lost."
                + (inner.map { " A request that the handler made failed: \($0.innermost.summary)" } ?? "")
        default: ""
        }
    }

    /// The error of the innermost of several requests that abandoned one another.
    private var innermost: Self { if case .abandoned(_, _, let inner?) = self { inner.innermost } else { self } }
}
