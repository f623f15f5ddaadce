/// Sees to it that the content of a success goes where it was asked to go, once, also if the transport has it in memory.
///
/// It stands right above the transport, which need not know of sinks: a stub's or an own one's may give all in memory.
struct ContentStage: Middleware {
    /// How far content has come to where it was asked to go; one for all stages of an attempt.
    enum Arrival { case none, begun, complete }

    let destination: ContentDestination
    let arrival: Locked<Arrival>

    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        switch request.sink {
        case .memory: return try await next(request)
        case .file(let file, let appends):
            var response = try await next(request)
            guard response.isSuccess, !response.body.isEmpty else { return response }
            try file.take(response.body, appending: appends && response.status == 206)
            response.body = Data()
            return response
        case .stream(let receive):
            // What a reader has of an earlier answer cannot be taken back; a file begins anew.
            if case .receiver = destination, arrival.withLock({ $0 != .none }) {
                throw SimpleNetworkingError.handedOver(request.head)
            }
            let delivery = ContentDelivery(of: request, to: receive) { arrival.withLock { $0 = .begun } }
            var sent = request
            sent.sink = .stream { try await delivery.take($0) }
            let response = try await delivery.complete(next(sent))
            if response.isSuccess { arrival.withLock { $0 = .complete } }
            return response
        }
    }
}

extension TransportResponse {
    /// Whether its content goes where it was asked to go, and not to memory.
    var isSuccess: Bool { (200...299).contains(status) }
}

extension SimpleNetworkingError {
    static func handedOver(_ head: RequestHead?) -> SimpleNetworkingError {
        let reason =
            "a part of its content was handed over already, and cannot be taken back; begin a request of its own"
        return .invalidRequest(reason: reason, head)
    }
}

extension URL {
    /// Writes content to a file, in place of what is there or at its end.
    fileprivate func take(_ content: Data, appending: Bool) throws {
        if !appending { unlink(path) }
        let isThere = appending && FileManager.default.fileExists(atPath: path)
        try (isThere ? OwnFile.append(self) : OwnFile.create(self)).handle.write(contentsOf: content)
    }
}
