import SimpleNetworkingSupport

/// Creates the default `User-Agent`, which identifies the program and this library (RFC 9110 §10.1.5).
enum UserAgent {
    /// The library's version, which is defined only here.
    static let libraryVersion = "1.0.0-dev"

    /// The value that this process sends, such as `Shop/2.1 SimpleNetworking/1.0.0 (macOS 14.5)`.
    static let standard: String = {
        #if os(Linux)
            // Programs have no bundle here.
            return text(names: [ProcessInfo.processInfo.processName], version: nil, platform: platform)
        #else
            let info = Bundle.main.infoDictionary ?? [:]
            return text(
                names: [
                    info["CFBundleName"] as? String, info["CFBundleExecutable"] as? String,
                    Bundle.main.executableURL?.lastPathComponent,
                ],
                version: (info["CFBundleShortVersionString"] ?? info["CFBundleVersion"]) as? String,
                platform: platform
            )
        #endif
    }()

    /// Returns the value for the first name with ASCII token characters, and the version, if any.
    static func text(names: [String?], version: String?, platform: String) -> String {
        let library = "SimpleNetworking/\(libraryVersion) (\(platform))"
        guard let name = names.lazy.compactMap({ $0.flatMap(token) }).first else { return library }
        return [name, version.flatMap(token)].compactMap { $0 }.joined(separator: "/") + " " + library
    }

    /// Replaces characters that a product name can't contain with hyphens.
    private static func token(_ text: String) -> String? {
        let parts = text.split { !String($0).isToken }
        return parts.isEmpty ? nil : String(parts.joined(separator: "-").prefix(64))
    }

    private static var platform: String {
        #if canImport(Darwin)
            let version = ProcessInfo.processInfo.operatingSystemVersion
            return "\(system) \(version.majorVersion).\(version.minorVersion)"
        #else
            return system
        #endif
    }

    private static var system: String {
        #if os(macOS)
            "macOS"
        #elseif os(tvOS)
            "tvOS"
        #elseif os(watchOS)
            "watchOS"
        #elseif os(visionOS)
            "visionOS"
        #elseif os(iOS)
            "iOS"
        #elseif os(Windows)
            "Windows"
        #elseif os(Android)
            "Android"
        #else
            "Linux"
        #endif
    }
}
