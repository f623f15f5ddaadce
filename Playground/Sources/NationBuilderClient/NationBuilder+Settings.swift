import SimpleNetworking
import Synchronization

/// Settings that may be changed at any time, and apply to all later requests.
extension NationBuilder {
    /// The API's version.
    ///
    /// The default is `v1`. Setting nil changes nothing.
    public var apiVersion: String? {
        get { settings.withLock { $0.apiVersion } }
        set { settings.withLock { $0.apiVersion = newValue ?? $0.apiVersion } }
    }

    /// The key that requests are sent with.
    public var apiKey: String? {
        get { settings.withLock { $0.apiKey } }
        set { settings.withLock { $0.apiKey = newValue } }
    }

    /// Whether the key is sent as a header field, and not in the URL, where logs see it.
    ///
    /// The default is false, as in NationBuilder's own SDK.
    public var sendsKeyAsHeader: Bool {
        get { settings.withLock { $0.sendsKeyAsHeader } }
        set { settings.withLock { $0.sendsKeyAsHeader = newValue } }
    }

    /// Whether pages are requested by number.
    ///
    /// The default is false: by the links of the previous page.
    public var usesLegacyPagination: Bool {
        get { settings.withLock { $0.usesLegacyPagination } }
        set { settings.withLock { $0.usesLegacyPagination = newValue } }
    }

    /// Whether the server should send links, where pages are not requested by number.
    ///
    /// The default is true.
    public var usesTokenPagination: Bool {
        get { settings.withLock { $0.usesTokenPagination } }
        set { settings.withLock { $0.usesTokenPagination = newValue } }
    }

    /// Decides at each step of a request; held weakly.
    public var delegate: (any NationBuilderDelegate)? {
        get { settings.withLock { $0.delegate } }
        set { settings.withLock { $0.delegate = newValue } }
    }
}
