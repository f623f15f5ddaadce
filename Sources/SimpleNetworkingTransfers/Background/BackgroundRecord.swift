import SimpleNetworkingFeatureSupport

/// Describes a background transfer in its task, so that a later launch of the app recognizes the transfer.
struct BackgroundRecord: Codable, Equatable {
    let id: String
    let method: String
    let url: URL
    /// The path of a download's destination; nil for an upload.
    private let path: String?
    /// Whether the path begins at the home folder, which the system may move between launches.
    private let isInHome: Bool

    init(id: String, method: HTTPMethod, url: URL, destination: URL?, home: String = homePath) {
        self.id = id
        self.method = method.rawValue
        self.url = url
        let path = (destination?.standardizedFileURL.path).map(Self.withoutPrivate)
        let home = Self.withoutPrivate(home)
        let prefix = home.hasSuffix("/") ? home : home + "/"
        if let path, path.hasPrefix(prefix) {
            self.path = String(path.dropFirst(prefix.count))
            isInHome = true
        } else {
            self.path = path
            isInHome = false
        }
    }

    /// Reads the description of a task; nil if another program part described the task.
    init?(_ description: String) {
        guard let record = try? JSONDecoder().decode(Self.self, from: Data(description.utf8)) else { return nil }
        self = record
    }

    /// The description for the task.
    var description: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }

    var head: RequestHead { RequestHead(method: HTTPMethod(rawValue: method), url: url) }

    /// Returns the destination of a download, or nil for an upload.
    func destination(home: String = homePath) -> URL? {
        guard let path else { return nil }
        return isInHome ? URL(fileURLWithPath: home).appendingPathComponent(path) : URL(fileURLWithPath: path)
    }

    /// The path of the home folder, which on Apple's systems is the app's own.
    static var homePath: String {
        #if os(Linux)
            FileManager.default.homeDirectoryForCurrentUser.path
        #else
            NSHomeDirectory()
        #endif
    }

    /// Returns a path without the folder that `/var` is a link to, because the system names files in both ways.
    private static func withoutPrivate(_ path: String) -> String {
        path.hasPrefix("/private/var/") ? String(path.dropFirst("/private".count)) : path
    }
}
