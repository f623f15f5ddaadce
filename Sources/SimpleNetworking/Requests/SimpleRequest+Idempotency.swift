extension SimpleRequest {
    /// Sends an `Idempotency-Key`, so that any method may be retried by a policy and the server does the work once.
    ///
    /// The key is a new UUID for each execution. It stays the same in each attempt, after a refresh and after `retry()`;
    /// a further page has its own. The server has to know such keys. A `header("Idempotency-Key", …)` that is set
    /// later replaces it.
    @discardableResult public func idempotent() -> Self {
        specify { specification in
            specification.headers.removeAll { $0.name.isSameFieldName(as: RequestHead.idempotencyKeyName) }
            specification.makesIdempotencyKey = true
        }
    }

    /// Sends this `Idempotency-Key` in every execution, for work that a later launch of the program may repeat.
    ///
    /// Two requests with one key are the same work to the server, so keep the key with what it creates, such as an
    /// order's ID. It isn't a secret. An empty key ends the request with `.invalidRequest`.
    @discardableResult public func idempotent(key: String) -> Self {
        guard key.isEmpty else { return header(RequestHead.idempotencyKeyName, key) }
        return specify { specification in
            specification.mistake =
                specification.mistake ?? .invalidRequest(reason: "its idempotency key is empty", nil)
        }
    }
}

extension RequestSpecification {
    /// Whether the execution still has to make a key: one that is named counts more.
    var lacksIdempotencyKey: Bool { makesIdempotencyKey && !headers.names(RequestHead.idempotencyKeyName) }

    /// Returns the same with a key.
    func with(idempotencyKey key: String) -> RequestSpecification {
        var specification = self
        specification.headers.append(Header(name: RequestHead.idempotencyKeyName, value: key))
        return specification
    }

    /// Makes a key that no other execution has: a random UUID (RFC 9562 §5.4).
    static func makeIdempotencyKey(on scheduler: Scheduler?) -> String {
        guard let random = scheduler?.random else { return UUID().uuidString.lowercased() }
        var bytes = (0..<16).map { _ in UInt8(saturating: random(0...255)) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map(\.hexadecimal)
        let groups = [digits[0..<4], digits[4..<6], digits[6..<8], digits[8..<10], digits[10..<16]]
        return groups.map { $0.joined() }.joined(separator: "-")
    }
}
