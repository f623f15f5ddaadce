/// Says why an attempt was sent again below the retry policy.
public enum ResendReason: Sendable, Hashable {
    /// A connection that was kept from an earlier request broke before any response.
    ///
    /// Only idempotent methods (RFC 9110 §9.2.2) and requests with an `Idempotency-Key` are then sent again.
    case connectionLost
    /// The response has a `Content-Encoding` that libcurl 8.5 and newer refuse unless they are told not to decode.
    case unknownCoding
    /// The server answered `Expect: 100-continue` with 417, so the field was left out (RFC 9110 §10.1.1).
    case expectationFailed
}
