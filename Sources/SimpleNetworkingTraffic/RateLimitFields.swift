import SimpleNetworkingFeatureSupport

/// Parses the fields `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers, version 10).
struct RateLimitFields {
    private let limits: [RequestLimit]

    /// Parses the fields; nil if they are missing or malformed, or if they count something other than requests.
    init?(_ headers: HTTPHeaders) {
        guard let field = headers["RateLimit"], let items = StructuredField.list(field) else { return nil }
        let policies = headers["RateLimit-Policy"].flatMap { StructuredField.list($0) } ?? []
        let others = Set(policies.compactMap { Self.countsOther($0) })
        let windows = policies.compactMap { Self.window(of: $0) }
        limits = items.compactMap { value in
            guard case .item(let item) = value, case .string(let name) = item.value, !others.contains(name),
                case .integer(let remaining)? = item["r"], remaining >= 0
            else { return nil }
            let window = windows.first { $0.name == name }?.seconds
            guard let seconds = Self.seconds(item["t"]) ?? window else { return nil }
            return RequestLimit(remaining: Int(clamping: remaining), seconds: seconds)
        }
        if limits.isEmpty { return nil }
    }

    /// The strictest limit.
    var hint: RateLimitHint? { limits.hint }

    /// The names of policies that count something other than requests, such as bytes.
    private static func countsOther(_ policy: StructuredField.Value) -> String? {
        guard case .item(let item) = policy, case .string(let name) = item.value else { return nil }
        switch item["qu"] {
        case nil, .string("requests"): return nil
        default: return name
        }
    }

    private static func window(of policy: StructuredField.Value) -> (name: String, seconds: TimeInterval)? {
        guard case .item(let item) = policy, case .string(let name) = item.value, let seconds = seconds(item["w"])
        else {
            return nil
        }
        return (name, seconds)
    }

    private static func seconds(_ item: StructuredField.BareItem?) -> TimeInterval? {
        guard case .integer(let seconds)? = item, seconds >= 0 else { return nil }
        return TimeInterval(seconds)
    }
}
