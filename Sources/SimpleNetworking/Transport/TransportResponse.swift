/// Holds a complete HTTP answer as a transport received it.
public struct TransportResponse: Sendable {
    private(set) var answer: Boxed<Answer>

    /// Makes an answer.
    public init(
        status: Int,
        headers: HTTPHeaders = [:],
        body: Data = Data(),
        metrics: TransferMetrics = TransferMetrics()
    ) {
        answer = Boxed(Answer(status: status, headers: headers, body: body, metrics: metrics))
    }

    /// The final status code; informational ones (1xx) are never seen.
    public var status: Int {
        get { answer.value.status }
        set { change { $0.status = newValue } }
    }

    /// The header fields, repeated ones kept.
    public var headers: HTTPHeaders {
        get { answer.value.headers }
        set { change { $0.headers = newValue } }
    }

    /// The content, decompressed.
    public var body: Data {
        get { answer.value.body }
        set { change { $0.body = newValue } }
    }

    /// The times and sizes of the transfer.
    public var metrics: TransferMetrics {
        get { answer.value.metrics }
        set { change { $0.metrics = newValue } }
    }

    /// The request that it answers, as it was sent; nil where a transport hands it over.
    ///
    /// The client sets it, so that middleware sees it: after redirects it is the last one sent.
    public var request: RequestHead? {
        get { answer.value.request }
        set { change { $0.request = newValue } }
    }

    private mutating func change(_ change: (inout Answer) -> Void) {
        var value = answer.value
        change(&value)
        answer = Boxed(value)
    }
}

extension TransportResponse: CustomReflectable {
    /// Shows status, header fields and size to `dump` and debuggers, with secrets hidden.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "status": status, "headers": request?.shown(headers) ?? headers as Any, "body": "\(body.count) bytes",
            "metrics": metrics, "request": request as Any,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
