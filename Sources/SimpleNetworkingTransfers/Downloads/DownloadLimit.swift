import SimpleNetworkingFeatureSupport

/// The maximum size of a downloaded file in bytes; nil for no limit.
enum DownloadLimit: OptionKey { static let defaultValue: Int? = nil }

extension SimpleNetworking.Configuration {
    /// The maximum size of a downloaded file, in bytes; the default is nil, which means no limit.
    ///
    /// A download over the limit fails with `.tooLarge`, and leaves no partial file. If the server announces the
    /// size, the download fails before any content is written. Background transfers aren't limited.
    public var maxDownloadSize: Int? {
        get { self[DownloadLimit.self] }
        set { self[DownloadLimit.self] = newValue }
    }
}
