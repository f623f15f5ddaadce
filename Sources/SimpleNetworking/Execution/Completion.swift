/// Ends an awaiting caller exactly once, whatever happens: dropping the last reference counts as `.abandoned`.
final class Completion: Sendable {
    typealias Outcome = Result<SimpleResponse, SimpleNetworkingError>

    private let body: Locked<(@Sendable (Outcome) -> Void)?>

    init(_ body: @escaping @Sendable (Outcome) -> Void) { self.body = Locked(body) }

    func finish(_ outcome: Outcome) {
        let body = self.body.withLock { body in
            defer { body = nil }
            return body
        }
        body?(outcome)
    }

    deinit { finish(.failure(.abandoned(nil, nil))) }
}
