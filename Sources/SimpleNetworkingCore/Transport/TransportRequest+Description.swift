import SimpleNetworkingSupport

extension TransportRequest: Described, Redacted {
    /// The method and the URL, with secrets hidden.
    package var shownText: String { head.description }

    package var shownMembers: KeyValuePairs<String, Any> {
        [
            "head": head, "body": body, "timeout": timeout, "maxResponseSize": maxResponseSize,
            "connectTimeout": connectTimeout as Any, "idleTimeout": idleTimeout as Any, "sink": sink,
        ]
    }
}
