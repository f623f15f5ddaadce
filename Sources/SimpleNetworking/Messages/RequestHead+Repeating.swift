extension RequestHead {
    /// Tells whether the request may be sent again though a server may have received it.
    ///
    /// That holds for idempotent methods (RFC 9110 §9.2.2), and for requests with an `Idempotency-Key`.
    var isRepeatable: Bool { method.isIdempotent || headers.contains("Idempotency-Key") }
}

extension NetworkFailure {
    /// The failure of a request that was sent, got no response, and must not be sent again.
    static func unanswered(_ head: RequestHead) -> NetworkFailure {
        NetworkFailure(
            .connectionLost,
            detail: """
                it broke after \(head.method) was sent and before any response: the server may or may not have received it; \
                it was not sent again, since \(head.method) is not idempotent; an Idempotency-Key header field allows that
                """
        )
    }
}
