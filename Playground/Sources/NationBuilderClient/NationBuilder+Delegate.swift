import SimpleNetworking

/// The delegate's say in what came of a request.
extension NationBuilder {
    /// Has the delegate look at what came before anybody else does, once however often a request is sent.
    func askDelegate(about request: SimpleRequest) {
        guard request.tags["delegate"] == nil else { return }
        request.tag("delegate", "asked")
        request.on(
            isolation: nil,
            noResponse: { [weak self] request, error in
                guard let self, let delegate = self.delegate else { return true }
                let goesOn =
                    delegate.nation(self, shouldHandle: nil, to: error.request)
                    && delegate.nation(self, shouldHandleTransportError: error)
                if !goesOn { request.abandon() }
                return goesOn
            }
        )
        request.on(isolation: nil, httpStatus: HTTPStatuses(100...599)) { [weak self] request, response in
            guard let self, let delegate = self.delegate else { return true }
            guard self.mayGoOn(with: response, delegate) else {
                request.abandon()
                return false
            }
            guard !response.success, let error = NationError(response) else { return true }
            Task {
                let goesOn = await delegate.nation(self, shouldHandleHTTPError: error, response)
                if goesOn { request.fail(error) } else { request.abandon() }
            }
            return false
        }
    }

    private func mayGoOn(with response: SimpleResponse, _ delegate: any NationBuilderDelegate) -> Bool {
        guard delegate.nation(self, shouldHandle: response, to: response.request) else { return false }
        guard response.success else { return true }
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
    /// 204 and 205 have none, and nobody looks for any.
    var hasContent: Bool { httpStatus != 204 && httpStatus != 205 }
}
