extension TransportRequest: Described, Redacted {
    /// The method and the URL, with secrets hidden.
    var shownText: String { head.description }

    var shownMembers: KeyValuePairs<String, Any> {
        [
            "head": head, "body": body, "timeout": timeout, "maxResponseSize": maxResponseSize,
            "connectTimeout": connectTimeout as Any, "idleTimeout": idleTimeout as Any, "sink": sink,
        ]
    }
}
