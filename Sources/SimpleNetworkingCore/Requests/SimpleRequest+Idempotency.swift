import SimpleNetworkingSupport

extension SimpleRequest {
    /// Sends an `Idempotency-Key`, so that a retry policy can safely retry a request with any method.
    ///
    /// The server must support idempotency keys; otherwise, it might perform the operation more than once. Each
    /// execution uses a new UUID as its key. All attempts of the execution use the same key, even after a refresh and
    /// after `retry()`. If a handler has the execution go on with another target, that one has its own key. A later
    /// `header("Idempotency-Key", …)` replaces the key.
    @discardableResult public func idempotent() -> Self {
        specify { specification in
            specification.headers.removeAll { $0.name.isSameFieldName(as: RequestHead.idempotencyKeyName) }
            specification.makesIdempotencyKey = true
        }
    }

    /// Sends the given `Idempotency-Key` in every execution.
    ///
    /// Set your own key for an operation that the program may repeat after its next launch.
    ///
    /// The server treats two requests with the same key as the same operation, so store the key with the object that
    /// the request creates, such as an order. The key isn't a secret. If the key is empty, the request ends with
    /// `.invalidRequest`.
    @discardableResult public func idempotent(key: String) -> Self {
        guard key.isEmpty else { return header(RequestHead.idempotencyKeyName, key) }
        return specify { specification in
            specification.mistake =
                specification.mistake ?? .invalidRequest(reason: "its idempotency key is empty", nil)
        }
    }
}

extension RequestSpecification {
    /// Whether the execution still has to create a key, because the request doesn't set one.
    var lacksIdempotencyKey: Bool { makesIdempotencyKey && !headers.names(RequestHead.idempotencyKeyName) }

    /// Returns a copy with an idempotency key.
    func with(idempotencyKey key: String) -> RequestSpecification {
        var specification = self
        specification.headers.append(Header(name: RequestHead.idempotencyKeyName, value: key))
        return specification
    }

    /// Returns a unique key: a random UUID (RFC 9562 §5.4).
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
