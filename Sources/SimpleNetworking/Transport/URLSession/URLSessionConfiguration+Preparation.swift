extension URLSessionConfiguration {
    /// Copies the configuration for the transport's own session; `defect` is why that session can't send anything.
    func prepared() -> (configuration: URLSessionConfiguration, defect: String?) {
        // Creating a background session has effects in the system.
        if let backgroundDefect { return (.ephemeral, backgroundDefect) }
        let copied = (copy() as? URLSessionConfiguration) ?? .ephemeral
        // On Linux these three take a third of a request's time, and the cache stores nothing.
        copied.urlCache = nil
        copied.httpCookieStorage = nil
        copied.urlCredentialStorage = nil
        copied.httpCookieAcceptPolicy = .never
        copied.httpShouldSetCookies = false
        copied.requestCachePolicy = .reloadIgnoringLocalCacheData
        // FoundationNetworking traps on times beyond an integer's range.
        copied.timeoutIntervalForRequest = copied.timeoutIntervalForRequest.clamped
        copied.timeoutIntervalForResource = copied.timeoutIntervalForResource.clamped
        let headers = HTTPHeaders(additional: copied.httpAdditionalHeaders ?? [:])
        copied.httpAdditionalHeaders = headers.defect == nil && !headers.isEmpty ? headers.dictionary : nil
        return (copied, headers.defect)
    }

    /// Why a background session can't be used: a task with a completion handler would raise an exception.
    var backgroundDefect: String? {
        guard identifier != nil else { return nil }
        return "a background session outlives the client and its handlers. Use a default or an ephemeral one"
    }

    /// Whether it has protocol classes besides Foundation's, as mocks do.
    var hasOwnProtocolClasses: Bool {
        let usual = Set((URLSessionConfiguration.ephemeral.protocolClasses ?? []).map(ObjectIdentifier.init))
        return protocolClasses?.contains { !usual.contains(ObjectIdentifier($0)) } ?? false
    }
}

extension HTTPHeaders {
    /// Takes other values than text by their description: FoundationNetworking traps on them.
    init(additional: [AnyHashable: Any]) {
        self.init()
        for (name, value) in additional {
            append((name as? String) ?? "\(name.base)", (value as? String) ?? "\(value)")
        }
    }
}

extension TimeInterval {
    fileprivate var clamped: TimeInterval { isNaN ? 60 : Swift.min(Swift.max(self, 1), 1e8) }
}
