import SimpleNetworkingSupport

/// Delivers the content of an acceptable response once, even if the transport returns it in memory.
///
/// This stage is directly above the transport, so that a user's own transport, or a stub, need not support sinks. It
/// delivers only successful statuses (200...299). Other acceptable ones may still be retried, redirected or signed
/// again, so their content is delivered when the pipeline ends.
struct ContentStage: Middleware {
    /// The amount of content that has reached its destination, which all stages of an attempt share.
    enum Arrival { case none, begun, complete }

    private let destination: ContentDestination
    private let statuses: HTTPStatuses
    private let types: AcceptableTypes?
    private let arrival: Locked<Arrival>
    /// The head of the request as it was sent; nil if it is as it came here.
    var headAsSent: @Sendable () -> RequestHead? = { nil }

    /// Doesn't keep the plan: a transport may keep a request's sink, which must not keep the client.
    ///
    /// `statuses` are those whose content is delivered; the default is the plan's.
    init(plan: RequestPlan, arrival: Locked<Arrival>, delivering statuses: HTTPStatuses? = nil) {
        let statuses = statuses ?? plan.streamedStatuses
        let types = plan.specification.acceptableTypes
        self.init(to: plan.destination, delivering: statuses, limitedTo: types, arrival: arrival)
    }

    init(
        to destination: ContentDestination,
        delivering statuses: HTTPStatuses,
        limitedTo types: AcceptableTypes? = nil,
        arrival: Locked<Arrival>
    ) {
        self.destination = destination
        self.statuses = statuses
        self.types = types
        self.arrival = arrival
    }

    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        guard case .stream(let receive) = request.sink else { return try await next(request) }
        // A reader can't return an earlier response's content, whereas a file starts over.
        if case .receiver = destination, arrival.withLock({ $0 != .none }) {
            throw SimpleNetworkingError.partlyDelivered(request.head)
        }
        // A transport may keep the request's sink, which must not keep what belongs to the client.
        let plain = request.forTransport
        let delivery = ContentDelivery(of: plain, delivering: statuses, limitedTo: types, to: receive) {
            arrival.withLock { $0 = .begun }
            if case .receiver(let receiver) = destination { receiver.begin(headAsSent() ?? plain.head) }
        }
        var sent = request
        sent.sink = .stream { try await delivery.take($0) }
        // A transport may ignore its timeout and continue.
        defer { delivery.end() }
        let response: TransportResponse
        do {
            response = try await delivery.complete(next(sent))
        } catch let refused as ContentDelivery.Refused {
            // The transport ended the transfer, and so hasn't reported the response.
            request.report?(.received(status: refused.response.httpStatus, bytes: 0))
            var response = refused.response
            response.request = request.head
            return response
        }
        if response.isDelivered { arrival.withLock { $0 = .complete } }
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
///
/// The content of a status that isn't delivered is collected, for the error.
final class ContentDelivery: Sendable {
    /// A response whose content has a type that the request doesn't accept.
    struct Refused: Error {
        let response: TransportResponse
    }

    fileprivate struct State {
        var hasHead = false
        /// The head of a response whose type is refused if the response has content.
        var heldHead: TransportResponse?
        var refused: Refused?
        /// The content of a response whose status isn't delivered.
        var collected: Data?
        var count = 0
        var limit = Int.max
        /// Whether the transfer is over, so that later content is ignored.
        var isOver = false
    }

    private let request: TransportRequest
    private let statuses: HTTPStatuses
    /// The types of content that may be delivered; nil for any.
    private let types: AcceptableTypes?
    private let receive: @Sendable (ResponsePart) async throws -> Void
    private let onHead: @Sendable () -> Void
    private let state = Locked(State())

    init(
        of request: TransportRequest,
        delivering statuses: HTTPStatuses,
        limitedTo types: AcceptableTypes?,
        to receive: @escaping @Sendable (ResponsePart) async throws -> Void,
        onHead: @escaping @Sendable () -> Void
    ) {
        self.request = request
        self.statuses = statuses
        self.types = types
        self.receive = receive
        self.onHead = onHead
    }

    func take(_ part: ResponsePart) async throws {
        let isHeld: Bool
        switch part {
        case .head(let status, let headers): isHeld = try hold(TransportResponse(httpStatus: status, headers: headers))
        case .content(let data): isHeld = try count(data)
        }
        if !isHeld { try await deliver(part) }
    }

    /// Returns whether the head isn't delivered, or waits for the first byte of content, without which its type doesn't
    /// matter.
    private func hold(_ head: TransportResponse) throws -> Bool {
        try state.withLock { state in
            if state.isOver { throw CancellationError() }
            state.hasHead = true
            guard statuses.contains(head.httpStatus) else {
                state.limit = request.maxResponseSize
                state.collected = Data()
                return true
            }
            // A few compressed bytes can expand to very many.
            if head.headers.hasUnrequestedCoding(by: request.headers) { state.limit = request.maxResponseSize }
            let length = head.headers["Content-Length"]
            let hasContent = request.method != .head && length != "0"
            if accept(head, hasContent: hasContent) { return false }
            if length != nil { throw state.refuse(head) }
            state.heldHead = head
            return true
        }
    }

    /// Returns whether the content isn't delivered, or is empty, and its head waits.
    private func count(_ data: Data) throws -> Bool {
        try state.withLock { state in
            if state.isOver { throw CancellationError() }
            guard state.hasHead else { throw NetworkFailure(.malformedResponse, detail: "it has no head") }
            if let head = state.heldHead {
                if data.isEmpty { return true }
                throw state.refuse(head)
            }
            state.count = state.count.addingSaturated(data.count)
            guard state.count <= state.limit else {
                throw SimpleNetworkingError.tooLarge(limit: state.limit, request.head)
            }
            state.collected?.append(data)
            return state.collected != nil
        }
    }

    func end() { state.withLock { $0.isOver = true } }

    private func deliver(_ part: ResponsePart) async throws {
        if case .head = part { onHead() }
        request.onPart?(part)
        try await receive(part)
    }

    private func accept(_ head: TransportResponse, hasContent: Bool) -> Bool {
        types?.accept(status: head.httpStatus, head.headers, hasContent: hasContent) ?? true
    }

    /// Passes on content that the transport returned in memory, and removes it from the response.
    ///
    /// - Throws: `Refused` if the transport has ignored that.
    func complete(_ response: TransportResponse) async throws -> TransportResponse {
        let (hasHead, heldHead, hasContent, refused, collected) = state.withLock {
            ($0.hasHead, $0.heldHead, $0.count > 0, $0.refused, $0.collected)
        }
        if let refused { throw refused }
        var response = response
        if let collected, response.data.isEmpty { response.data = collected }
        guard collected == nil, statuses.contains(response.httpStatus), !response.isRefused else { return response }
        if !hasHead || heldHead != nil {
            guard accept(response, hasContent: !response.data.isEmpty) else {
                response.data = Data()
                response.isRefused = true
                return response
            }
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
        response.isDelivered = true
        return response
    }
}

extension ContentDelivery.State {
    /// Ends the delivery, whatever the transport does then.
    fileprivate mutating func refuse(_ head: TransportResponse) -> ContentDelivery.Refused {
        var response = head
        response.isRefused = true
        let refused = ContentDelivery.Refused(response: response)
        self.refused = refused
        isOver = true
        return refused
    }
}
