import SimpleNetworking
import Synchronization

/// What may be changed at any time, and counts for all requests from then on.
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

    /// Whether the key is sent as a header field, and not in the address, where logs see it.
    ///
    /// The default is false, as it always was.
    public var sendsKeyAsHeader: Bool {
        get { settings.withLock { $0.sendsKeyAsHeader } }
        set { settings.withLock { $0.sendsKeyAsHeader = newValue } }
    }

    /// Whether pages are asked for by number.
    ///
    /// The default is false: by the links of the page before.
    public var usesLegacyPagination: Bool {
        get { settings.withLock { $0.usesLegacyPagination } }
        set { settings.withLock { $0.usesLegacyPagination = newValue } }
    }

    /// Whether the server is asked for links, where pages are not asked for by number.
    ///
    /// The default is true.
    public var usesTokenPagination: Bool {
        get { settings.withLock { $0.usesTokenPagination } }
        set { settings.withLock { $0.usesTokenPagination = newValue } }
    }

    /// What is asked on the way of each request; not kept alive.
    public var delegate: (any NationBuilderDelegate)? {
        get { settings.withLock { $0.delegate } }
        set { settings.withLock { $0.delegate = newValue } }
    }
}
