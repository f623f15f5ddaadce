extension SimpleNetworkingError: CustomReflectable {
    /// Shows the case with its response or its request to `dump` and debuggers, with secrets hidden.
    public var customMirror: Mirror {
        let value: Any = response.map { $0 as Any } ?? request.map { $0 as Any } ?? description
        return Mirror(self, children: [(caseName, value)], displayStyle: .enum)
    }

    private var caseName: String {
        switch self {
        case .invalidURL: "invalidURL"
        case .invalidRequest: "invalidRequest"
        case .networkingError: "networkingError"
        case .clientError: "clientError"
        case .serverError: "serverError"
        case .invalidResponse: "invalidResponse"
        case .decoding: "decoding"
        case .timedOut: "timedOut"
        case .tooLarge: "tooLarge"
        case .redirect: "redirect"
        case .authentication: "authentication"
        case .recursion: "recursion"
        case .notCached: "notCached"
        case .cancelled: "cancelled"
        case .abandoned: "abandoned"
        case .failed: "failed"
        }
    }
}
