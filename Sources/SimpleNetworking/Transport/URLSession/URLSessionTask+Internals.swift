extension URLSessionTask {
    /// Whether Foundation made this task, and not a subclass in a test.
    var isFoundationsOwn: Bool {
        #if canImport(Darwin)
            // A bare subclass has no session behind it, and the system's own classes have no public names.
            Bundle(for: type(of: self)).bundleIdentifier?.hasPrefix("com.apple.") == true
        #else
            type(of: self) == URLSessionDataTask.self || type(of: self) == URLSessionUploadTask.self
        #endif
    }

    #if !canImport(Darwin)
        /// The content that FoundationNetworking has collected while a challenge is open.
        ///
        /// There is no public way to it: rejecting the challenge drops it, and repeating the request could take effect
        /// twice. The layout is the same from Swift 6.0 to 6.3.3; nil means that it has changed. Nothing writes to
        /// these places between the end of the transfer and the completion of the challenge.
        var collectedBody: Data? {
            let storage = Self.value("_protocolStorage", of: self, declaredBy: URLSessionTask.self)
            let loader = storage.flatMap { Mirror(reflecting: $0).descendant("existing") }
            let properties = loader.flatMap { Self.value("properties", of: $0, declaredBy: URLProtocol.self) }
            return (properties as? [AnyHashable: Any])?.first { "\($0.key)" == "responseData" }?.value as? Data
        }

        private static func value(_ label: String, of object: Any, declaredBy type: Any.Type) -> Any? {
            var mirror = Mirror(reflecting: object)
            while mirror.subjectType != type, let parent = mirror.superclassMirror { mirror = parent }
            return mirror.descendant(label)
        }
    #endif
}
