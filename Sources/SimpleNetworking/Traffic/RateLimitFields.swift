/// Parses the fields `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers, version 10).
struct RateLimitFields {
    /// Holds one limit: the remaining requests, and the seconds until the limit is reset.
    private struct Limit {
        let remaining: Int
        let seconds: TimeInterval
    }

    private let limits: [Limit]

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
            return Limit(remaining: Int(clamping: remaining), seconds: seconds)
        }
        if limits.isEmpty { return nil }
    }

    /// The strictest limit.
    ///
    /// It is the exhausted limit with the latest reset, or else the limit with the fewest remaining requests.
    var word: ServerWord? {
        let empty = limits.filter { $0.remaining == 0 }.max { $0.seconds < $1.seconds }
        let strictest = empty ?? limits.min { $0.remaining < $1.remaining }
        return strictest.map { .remaining($0.remaining, within: $0.seconds) }
    }

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
