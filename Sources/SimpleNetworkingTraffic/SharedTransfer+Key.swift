import SimpleNetworkingFeatureSupport

extension SharedTransfer {
    /// Holds the properties that must be equal for requests to share a transfer.
    struct Key: Hashable {
        private let method: HTTPMethod
        private let url: String
        private let fields: [String: [String]]
        private let facts: SharedFacts
        private let maxResponseSize: Int
        private let connectTimeout: TimeInterval?
        private let idleTimeout: TimeInterval?
        /// Whether the engine discards the content of redirects.
        private let followsRedirects: Bool
        /// Whether it goes on without a user.
        private let isUntrusted: Bool

        init(_ request: TransportRequest, _ facts: SharedFacts) {
            method = request.head.method
            url = request.head.written.text
            fields = request.headers.identity
            maxResponseSize = request.maxResponseSize
            connectTimeout = request.connectTimeout
            idleTimeout = request.idleTimeout
            followsRedirects = request.followsRedirects
            isUntrusted = request.isUntrusted
            self.facts = facts
        }
    }
}

extension TransportRequest {
    /// Whether the request is a GET or HEAD without content whose response is stored in memory.
    var isRead: Bool { (head.method == .get || head.method == .head) && body.isNone && sink.isMemory }
}
