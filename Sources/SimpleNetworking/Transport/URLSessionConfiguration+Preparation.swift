extension URLSessionConfiguration {
    /// Copies the configuration for a session of our own, and tells what keeps that session from sending anything.
    func prepared() -> (configuration: URLSessionConfiguration, defect: String?) {
        // A background session would be made in the system, too.
        if let backgroundDefect { return (.ephemeral, backgroundDefect) }
        let copied = (copy() as? URLSessionConfiguration) ?? .ephemeral
        // On Linux these three cost a third of the time of a request, and the cache stores nothing.
        copied.urlCache = nil
        copied.httpCookieStorage = nil
        copied.urlCredentialStorage = nil
        copied.httpCookieAcceptPolicy = .never
        copied.httpShouldSetCookies = false
        copied.requestCachePolicy = .reloadIgnoringLocalCacheData
        // FoundationNetworking traps on times that do not fit into an integer.
        copied.timeoutIntervalForRequest = copied.timeoutIntervalForRequest.clamped
        copied.timeoutIntervalForResource = copied.timeoutIntervalForResource.clamped
        let headers = HTTPHeaders(additional: copied.httpAdditionalHeaders ?? [:])
        copied.httpAdditionalHeaders = headers.defect == nil && !headers.isEmpty ? headers.dictionary : nil
        return (copied, headers.defect)
    }

    /// What keeps a session with this configuration from sending anything if it is a background session's: URLSession
    /// raises an exception when such a session gets a task with a completion handler.
    var backgroundDefect: String? {
        guard identifier != nil else { return nil }
        return "a background session outlives the client and its handlers. Use a default or an ephemeral one"
    }

    /// Whether it names protocol classes beside Foundation's, as mocks do.
    var hasOwnProtocolClasses: Bool {
        let usual = Set((URLSessionConfiguration.ephemeral.protocolClasses ?? []).map(ObjectIdentifier.init))
        return protocolClasses?.contains { !usual.contains(ObjectIdentifier($0)) } ?? false
    }
}

extension HTTPHeaders {
    /// Takes values that are no text by their description: FoundationNetworking ends the process on them.
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
