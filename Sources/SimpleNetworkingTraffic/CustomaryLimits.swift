import SimpleNetworkingFeatureSupport

/// Reads the rate limit fields that servers send without a standard, such as `X-RateLimit-Remaining`.
struct CustomaryLimits {
    /// The names of the fields that belong together.
    private struct Names {
        let remaining: String
        /// The fields with the time of the reset, the most precise first.
        let resets: [String]
    }

    /// Fields that count something other than requests, such as OpenAI's tokens, are missing on purpose.
    private static let names = [
        Names(remaining: "X-RateLimit-Remaining", resets: ["X-RateLimit-Reset-After", "X-RateLimit-Reset"]),
        Names(remaining: "X-Rate-Limit-Remaining", resets: ["X-Rate-Limit-Reset-After", "X-Rate-Limit-Reset"]),
        Names(remaining: "RateLimit-Remaining", resets: ["RateLimit-Reset"]),
        Names(remaining: "X-RateLimit-Remaining-Requests", resets: ["X-RateLimit-Reset-Requests"]),
    ]

    private let headers: HTTPHeaders
    private let now: Date

    init(_ headers: HTTPHeaders) {
        self.headers = headers
        now = headers.serverTime()
    }

    /// The strictest limit that states a number of requests and a time; nil if there is none.
    var hint: RateLimitHint? {
        Self.names.compactMap { names -> RequestLimit? in
            guard let text = headers[names.remaining]?[...].trimmed, let remaining = Int(text), remaining >= 0,
                let seconds = seconds(in: names.resets) ?? reset
            else { return nil }
            return RequestLimit(remaining: remaining, seconds: seconds)
        }.hint
    }

    /// The seconds until the first reset that can be read, however many requests remain.
    var reset: TimeInterval? { Self.names.lazy.compactMap { seconds(in: $0.resets) }.first }

    private func seconds(in fields: [String]) -> TimeInterval? {
        fields.lazy.compactMap { headers[$0].flatMap { FieldDelay.reset($0[...].trimmed, now: now) } }.first
    }
}
