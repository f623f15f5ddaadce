extension URLSessionTask {
    /// Tells whether Foundation made this task, and not a subclass in a test.
    var isFoundationsOwn: Bool {
        #if canImport(Darwin)
            // A bare subclass has no session behind it, and the system's own classes have no public names.
            Bundle(for: type(of: self)).bundleIdentifier?.hasPrefix("com.apple.") == true
        #else
            type(of: self) == URLSessionDataTask.self || type(of: self) == URLSessionUploadTask.self
        #endif
    }

    #if !canImport(Darwin)
        /// The content that FoundationNetworking has collected for the completion handler, while a challenge is open.
        ///
        /// There is no public way to it, and the handler will not get it: a rejected challenge drops it, and repeating the
        /// request could do what it asks for twice. The layout is the same from Swift 6.0 to 6.3.3, and nil means that it
        /// has changed. Nothing writes to these places between the end of the transfer and the answer to the challenge.
        var collectedBody: Data? {
            var mirror = Mirror(reflecting: self)
            while mirror.subjectType != URLSessionTask.self, let parent = mirror.superclassMirror { mirror = parent }
            guard
                let loader = mirror.value(of: "_protocolStorage").flatMap({
                    Mirror(reflecting: $0).value(of: "existing")
                })
            else { return nil }
            mirror = Mirror(reflecting: loader)
            while mirror.subjectType != URLProtocol.self, let parent = mirror.superclassMirror { mirror = parent }
            guard let properties = mirror.value(of: "properties") as? [AnyHashable: Any] else { return nil }
            return properties.first { "\($0.key)" == "responseData" }?.value as? Data
        }
    #endif
}

#if !canImport(Darwin)
    extension Mirror {
        fileprivate func value(of label: String) -> Any? { children.first { $0.label == label }?.value }
    }
#endif
