/// Holds a complete HTTP answer as a transport received it.
public struct TransportResponse: Sendable {
    private struct Values: Sendable {
        var status: Int
        var headers: HTTPHeaders
        var body: Data
        var metrics: TransferMetrics
    }

    // Each stage has room for one in its frame while it waits.
    private final class Storage: Sendable {
        let values: Values

        init(_ values: Values) { self.values = values }
    }

    private var storage: Storage

    private var values: Values {
        get { storage.values }
        set { storage = Storage(newValue) }
    }

    /// Makes an answer.
    public init(
        status: Int,
        headers: HTTPHeaders = [:],
        body: Data = Data(),
        metrics: TransferMetrics = TransferMetrics()
    ) {
        storage = Storage(Values(status: status, headers: headers, body: body, metrics: metrics))
    }

    /// The final status code; informational ones (1xx) are never seen.
    public var status: Int {
        get { storage.values.status }
        set { values.status = newValue }
    }

    /// The header fields, repeated ones kept.
    public var headers: HTTPHeaders {
        get { storage.values.headers }
        set { values.headers = newValue }
    }

    /// The content, decompressed.
    public var body: Data {
        get { storage.values.body }
        set { values.body = newValue }
    }

    /// The times and sizes of the transfer.
    public var metrics: TransferMetrics {
        get { storage.values.metrics }
        set { values.metrics = newValue }
    }
}
