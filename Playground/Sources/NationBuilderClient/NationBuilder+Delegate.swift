import SimpleNetworking

/// The delegate's part in handling a response.
extension NationBuilder {
    /// Adds handlers through which the delegate sees each result first; once, even if the request is sent again.
    func askDelegate(about request: SimpleRequest) {
        guard request.tags["delegate"] == nil else { return }
        request.tag("delegate", "added")
        request.on(
            isolation: nil,
            noResponse: { [weak self] _, error in
                guard let self, let delegate = self.delegate else { return true }
                return delegate.nation(self, shouldHandle: nil, to: error.request)
                    && delegate.nation(self, shouldHandleTransportError: error)
            }
        )
        request.on(isolation: nil, httpStatus: HTTPStatuses(100...599)) { [weak self] request, response in
            guard let self, let delegate = self.delegate else { return true }
            guard self.mayContinue(with: response, delegate) else { return false }
            guard !response.isSuccess, let error = NationError(response) else { return true }
            Task {
                let continues = await delegate.nation(self, shouldHandleHTTPError: error, response)
                if continues { request.fail(error) } else { request.stop() }
            }
            return false
        }
    }

    private func mayContinue(with response: SimpleResponse, _ delegate: any NationBuilderDelegate) -> Bool {
        guard delegate.nation(self, shouldHandle: response, to: response.request) else { return false }
        guard response.isSuccess else { return true }
        if let error = NationError(response) {
            return delegate.nation(self, shouldHandleServiceError: error, response)
        }
        if response.hasContent, let json = response.jsonObject {
            delegate.nation(self, didParse: json, of: response)
        }
        return true
    }
}

extension SimpleResponse {
    /// Whether the status may come with content: 204 and 205 never do.
    var hasContent: Bool { httpStatus != 204 && httpStatus != 205 }
}
