/// Hands the content of one answer to a stream's receiver, and limits it where it came compressed unasked.
final class ContentDelivery: Sendable {
    private struct State {
        var hasHead = false
        var count = 0
        var limit = Int.max
    }

    private let request: TransportRequest
    private let receive: @Sendable (ResponsePart) async throws -> Void
    private let onHead: @Sendable () -> Void
    private let state = Locked(State())

    init(
        of request: TransportRequest,
        to receive: @escaping @Sendable (ResponsePart) async throws -> Void,
        onHead: @escaping @Sendable () -> Void
    ) {
        self.request = request
        self.receive = receive
        self.onHead = onHead
    }

    /// Passes on a part that the transport gives.
    func take(_ part: ResponsePart) async throws {
        let failure: (any Error)? = state.withLock { state in
            switch part {
            case .head(_, let headers):
                state.hasHead = true
                // Little can become very much.
                if headers.isCompressedUnasked(by: request.headers) { state.limit = request.maxResponseSize }
            case .content(let data):
                guard state.hasHead else { return NetworkFailure(.malformedResponse, detail: "it has no head") }
                state.count += data.count
            }
            return state.count <= state.limit ? nil : SimpleNetworkingError.tooLarge(limit: state.limit, request.head)
        }
        if let failure { throw failure }
        try await deliver(part)
    }

    private func deliver(_ part: ResponsePart) async throws {
        if case .head = part { onHead() }
        try await receive(part)
    }

    /// Passes on what the transport has not given on the way, and leaves nothing in memory.
    func complete(_ answer: TransportResponse) async throws -> TransportResponse {
        guard answer.isSuccess else { return answer }
        var response = answer
        let (hasHead, hasContent) = state.withLock { ($0.hasHead, $0.count > 0) }
        if !hasHead { try await deliver(.head(status: response.status, headers: response.headers)) }
        if !hasContent, !response.body.isEmpty {
            try await deliver(.content(response.body))
            request.progress?(progress(response.body.count))
        }
        response.body = Data()
        return response
    }

    private func progress(_ received: Int) -> TransferProgress {
        let sent = request.body.length ?? 0
        return TransferProgress(
            bytesSent: sent,
            bytesToSend: sent > 0 ? sent : nil,
            bytesReceived: received,
            bytesToReceive: received
        )
    }
}
