/// Delivers the content of a successful response once, even if the transport returns it in memory.
///
/// This stage is directly above the transport, so that a user's own transport, or a stub, need not support sinks.
struct ContentStage: Middleware {
    /// The amount of content that has reached its destination, which all stages of an attempt share.
    enum Arrival { case none, begun, complete }

    /// The statuses and the types of content that may be delivered.
    struct Acceptable {
        let statuses: HTTPStatuses
        /// Nil for any type.
        let types: AcceptableTypes?
    }

    private let destination: ContentDestination
    private let acceptable: Acceptable
    private let arrival: Locked<Arrival>

    /// Doesn't keep the plan: a transport may keep a request's sink, which must not keep the client.
    init(plan: RequestPlan, arrival: Locked<Arrival>) {
        destination = plan.destination
        let statuses = plan.specification.acceptableStatuses ?? plan.settings.configuration.acceptableStatuses
        acceptable = Acceptable(statuses: statuses, types: plan.specification.acceptableTypes)
        self.arrival = arrival
    }

    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        guard case .stream(let receive) = request.sink else { return try await next(request) }
        // A reader can't return an earlier response's content, whereas a file starts over.
        if case .receiver = destination, arrival.withLock({ $0 != .none }) {
            throw SimpleNetworkingError.partlyDelivered(request.head)
        }
        let delivery = ContentDelivery(of: request, limitedTo: acceptable, to: receive) {
            arrival.withLock { $0 = .begun }
            if case .receiver(let receiver) = destination { receiver.begin(request.head) }
        }
        var sent = request
        sent.sink = .stream { try await delivery.take($0) }
        // A transport may ignore its timeout and continue.
        defer { delivery.end() }
        let response = try await delivery.complete(next(sent))
        if response.isSuccess { arrival.withLock { $0 = .complete } }
        return response
    }
}

extension SimpleNetworkingError {
    static func partlyDelivered(_ head: RequestHead) -> SimpleNetworkingError {
        let part = "a part of its content was handed over already, and cannot be taken back"
        return .invalidRequest(reason: "\(part); begin a request of its own", head)
    }
}

/// Passes a response's content to a stream's receiver, and limits unrequested compressed content.
final class ContentDelivery: Sendable {
    private struct State {
        var hasHead = false
        var count = 0
        var limit = Int.max
        /// Whether the transfer is over, so that later content is ignored.
        var isOver = false
    }

    private let request: TransportRequest
    private let acceptable: ContentStage.Acceptable
    private let receive: @Sendable (ResponsePart) async throws -> Void
    private let onHead: @Sendable () -> Void
    private let state = Locked(State())

    init(
        of request: TransportRequest,
        limitedTo acceptable: ContentStage.Acceptable,
        to receive: @escaping @Sendable (ResponsePart) async throws -> Void,
        onHead: @escaping @Sendable () -> Void
    ) {
        self.request = request
        self.acceptable = acceptable
        self.receive = receive
        self.onHead = onHead
    }

    func take(_ part: ResponsePart) async throws {
        let failure: (any Error)? = state.withLock { state in
            if state.isOver { return CancellationError() }
            switch part {
            case .head(_, let headers):
                state.hasHead = true
                // A few compressed bytes can expand to very many.
                if headers.hasUnrequestedCoding(by: request.headers) { state.limit = request.maxResponseSize }
            case .content(let data):
                guard state.hasHead else { return NetworkFailure(.malformedResponse, detail: "it has no head") }
                state.count = state.count.addingSaturated(data.count)
            }
            return state.count <= state.limit ? nil : SimpleNetworkingError.tooLarge(limit: state.limit, request.head)
        }
        if let failure { throw failure }
        if case .head(let status, let headers) = part {
            try check(status, headers, hasContent: headers["Content-Length"] != "0")
        }
        try await deliver(part)
    }

    func end() { state.withLock { $0.isOver = true } }

    private func deliver(_ part: ResponsePart) async throws {
        if case .head = part { onHead() }
        request.onPart?(part)
        try await receive(part)
    }

    /// - Throws: The status's error, or else `.unacceptableContentType`, before any content reaches its destination.
    private func check(_ status: Int, _ headers: HTTPHeaders, hasContent: Bool) throws {
        guard let types = acceptable.types, !types.accept(status: status, headers, hasContent: hasContent) else {
            return
        }
        let response = SimpleResponse(
            request: request.head,
            httpStatus: status,
            headers: headers,
            acceptableStatuses: acceptable.statuses
        )
        throw response.error ?? .unacceptableContentType(acceptable: types.types, response)
    }

    /// Passes on content that the transport returned in memory, and removes it from the response.
    func complete(_ response: TransportResponse) async throws -> TransportResponse {
        guard response.isSuccess else { return response }
        var response = response
        let (hasHead, hasContent) = state.withLock { ($0.hasHead, $0.count > 0) }
        if !hasHead {
            try check(response.httpStatus, response.headers, hasContent: !response.data.isEmpty)
            try await deliver(.head(status: response.httpStatus, headers: response.headers))
        }
        if !hasContent, !response.data.isEmpty {
            try await deliver(.content(response.data))
            if let report = request.progress {
                let sent = request.body.length ?? 0
                let received = response.data.count
                var progress = TransferProgress(bytesSent: sent, bytesReceived: received, bytesToReceive: received)
                if sent > 0 { progress.bytesToSend = sent }
                report(progress)
            }
        }
        response.data = Data()
        return response
    }
}
