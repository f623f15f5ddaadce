extension SimpleNetworking.Configuration: CustomReflectable {
    /// Shows the settings to `dump` and debuggers, with secrets hidden.
    ///
    /// Of what a user has made, such as an authenticator or middleware, only the type is shown.
    public var customMirror: Mirror {
        var fields = defaultHeaders
        for name in secretHeaders { fields.markSecret(name) }
        let children: KeyValuePairs<String, Any> = [
            "timeout": timeout, "deadline": deadline as Any, "takeoverTimeout": takeoverTimeout,
            "renewalTimeout": renewalTimeout, "maxRetries": maxRetries, "maxResponseSize": maxResponseSize,
            "defaultHeaders": fields, "secretHeaders": secretHeaders.sorted(),
            "trustedOrigins": trustedOrigins.map { "\($0)" }.sorted(), "acceptableStatuses": acceptableStatuses,
            "redirectPolicy": name(redirectPolicy), "retryPolicy": retryPolicy, "cachePolicy": cachePolicy,
            "waitsForRenewal": waitsForRenewal, "authenticator": name(authenticator),
            "middleware": middleware.map(name), "cookieJar": name(cookieJar), "cache": name(cache),
            "decoder": name(decoder), "callbackQueue": callbackQueue.label, "sessionDelegate": name(sessionDelegate),
            "transport": name(transport), "clock": name(clock), "logger": logger.level,
            "eventMonitors": eventMonitors.map(name),
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }

    private func name<Value>(_ value: Value?) -> String { value.map { "\(type(of: $0 as Any))" } ?? "none" }
}
